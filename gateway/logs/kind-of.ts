import type { LogKind } from '../contract/gateway-api/logs.ts'

interface Facts {
  method: string
  path: string
  category?: string
  acl?: string
  /** Type of the declarative query, as the context's envs name it. */
  queryType?: unknown
}

const SEARCHES = new Set(['search', 'msearch', 'declarative', 'count', 'validate'])
const INDEXING = new Set(['index', 'create', 'update', 'update_by_query', 'bulk', 'doc'])
const DELETES = new Set(['delete', 'delete_by_query'])

/**
 * What a request is for, as far as logs can be asked for it; nothing for everything else. A route's
 * `classify` decides; without an ACL the last part of the path that begins with `_` stands for it.
 */
export function kindOf({ method, path, category, acl, queryType }: Facts): LogKind | undefined {
  if (category === 'suggestions' || (category === 'declarative' && queryType === 'suggestion'))
    return 'suggestion'
  const action = (acl ?? actionIn(path)).replace(/^_/, '')
  if (method === 'DELETE' || DELETES.has(action)) return 'delete'
  if (category === 'declarative' || category === 'search' || SEARCHES.has(action)) return 'search'
  const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return isWrite && (category === 'docs' || INDEXING.has(action)) ? 'index' : undefined
}

const actionIn = (path: string) =>
  (path.split('?')[0] ?? '').split('/').findLast((part) => part.startsWith('_')) ?? ''
