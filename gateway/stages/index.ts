import { addFilter } from './add-filter.ts'
import { authorization } from './authorization.ts'
import { customData } from './custom-data.ts'
import { declarativeQuery } from './declarative-query.ts'
import type { StageDefinition } from './define.ts'
import { hideResults } from './hide-results.ts'
import { httpRequest } from './http-request.ts'
import { promoteResults } from './promote-results.ts'
import { removeWords } from './remove-words.ts'
import { replaceSearchTerm } from './replace-search-term.ts'
import { replaceWords } from './replace-words.ts'
import { searchEngineQuery } from './search-engine-query.ts'

/** Every pre-built stage, in the order the palette shows them. */
export const builtInStages: readonly StageDefinition[] = [
  authorization,
  declarativeQuery,
  searchEngineQuery,
  httpRequest,
  replaceSearchTerm,
  replaceWords,
  removeWords,
  addFilter,
  promoteResults,
  hideResults,
  customData,
]

/** Names of the specification that have no stage yet, for a message that says so. */
export const plannedStages: readonly string[] = [
  'useCache',
  'recordAnalytics',
  'searchRelevancy',
  'kNN',
  'documentStoreQuery',
  'altEngineQuery',
]
