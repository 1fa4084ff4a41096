import { getAlias } from '../http/handlers/aliases.ts'
import { analyze } from '../http/handlers/analyze.ts'
import { bulk } from '../http/handlers/bulk.ts'
import { catCount, catHealth, catHelp, catIndices } from '../http/handlers/cat.ts'
import {
  addDocument,
  createDocument,
  deleteDocument,
  indexDocument,
} from '../http/handlers/documents.ts'
import { features } from '../http/handlers/features.ts'
import { getDocument, getSource } from '../http/handlers/get.ts'
import { clusterHealth } from '../http/handlers/health.ts'
import { createIndex, deleteIndex, getIndex } from '../http/handlers/indices.ts'
import { info } from '../http/handlers/info.ts'
import { flush, forceMerge, refresh } from '../http/handlers/maintenance.ts'
import {
  getFieldMapping,
  getMapping,
  getSettings,
  putMapping,
  putSettings,
} from '../http/handlers/mapping.ts'
import { mget } from '../http/handlers/mget.ts'
import { msearch } from '../http/handlers/msearch.ts'
import { count, search, validateQuery } from '../http/handlers/search.ts'
import { nodes, stats } from '../http/handlers/stats.ts'
import { updateDocument } from '../http/handlers/update.ts'
import type { EndpointDefinition } from './define.ts'

/** Every endpoint there is. */
export const endpoints: readonly EndpointDefinition[] = [
  info,
  createIndex,
  deleteIndex,
  getIndex,
  getAlias,
  getMapping,
  getFieldMapping,
  putMapping,
  getSettings,
  putSettings,
  indexDocument,
  addDocument,
  createDocument,
  deleteDocument,
  getDocument,
  getSource,
  updateDocument,
  bulk,
  mget,
  search,
  msearch,
  count,
  validateQuery,
  analyze,
  refresh,
  flush,
  forceMerge,
  catHelp,
  catIndices,
  catHealth,
  catCount,
  clusterHealth,
  stats,
  nodes,
  features,
]
