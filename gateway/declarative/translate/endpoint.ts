import type { JsonObject } from '../json-object.ts'
import type { DeclarativeRequest, IdentifiedQuery } from '../request.ts'
import { highlightOf } from './highlight.ts'
import { invalidQuery } from './invalid-query.ts'

/** A request to an address that a query names itself. */
export interface EndpointRequest {
  url: string
  method: string
  headers: Record<string, string>
  /** Any JSON; undefined sends none. */
  body: unknown
}

/** Whether the query runs at its own endpoint. @throws {GatewayError} when that has no address. */
export function hasEndpoint(query: IdentifiedQuery) {
  if (!query.endpoint) return false
  if (!query.endpoint.url)
    throw invalidQuery(query, 'endpoint.url', 'is missing: name the address, or drop "endpoint"')
  return query.enableEndpointSuggestions !== false
}

/** What to send there; by default the query itself, as a declarative request. */
export function endpointRequest(
  query: IdentifiedQuery,
  { settings, metadata }: DeclarativeRequest,
): EndpointRequest {
  const { endpoint, searchboxId: _id, type, ...rest } = query
  const { url = '', method = 'POST', headers = {}, body } = endpoint ?? {}
  const highlight = type === 'suggestion' ? highlightOf(query) : undefined
  const own: JsonObject = highlight ? { ...rest, highlightConfig: highlight } : rest
  const standard = { query: [own], ...(settings && { settings }), ...(metadata && { metadata }) }
  const isPost = method.toUpperCase() === 'POST'
  return { url, method, headers, body: body ?? (isPost ? standard : undefined) }
}
