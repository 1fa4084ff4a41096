import type { JsonObject } from './json-object.ts'
import type { Backend, DeclarativeRequest, IdentifiedQuery } from './request.ts'
import { createDependencies } from './translate/dependencies.ts'
import { type EndpointRequest, endpointRequest, hasEndpoint } from './translate/endpoint.ts'
import { invalidQuery } from './translate/invalid-query.ts'
import { typeOf } from './translate/own-clause.ts'
import { queryBody } from './translate/query-body.ts'

/** What a translation depends on besides the request. */
export interface TranslateOptions {
  /** `?preference=` of the request. */
  preference?: string
  /** Stands in for `settings.userId` in preferences. */
  clientIp?: string
  /** Wins over `settings.backend`. */
  backend?: Backend
}

/** A query the engine runs. */
export interface EngineItem {
  kind: 'engine'
  id: string
  /** Where it looks in place of the path's indices. */
  index?: string
  preference: string
  /** Body of a search request. */
  body: JsonObject
}

/** A query that runs at an address of its own. */
interface EndpointItem {
  kind: 'endpoint'
  id: string
  request: EndpointRequest
}

/** A suggestion query whose index part is off: its answer has no hits. */
interface EmptyItem {
  kind: 'empty'
  id: string
}

/** A translated request: items in the order of the queries, those with `execute: false` left out. */
export interface TranslatedRequest {
  items: (EngineItem | EndpointItem | EmptyItem)[]
  /** Sentences about what was asked for and left out. */
  warnings: string[]
}

/**
 * Turns declarative queries into the engine's query language.
 * @throws {GatewayError} DECLARATIVE_INVALID, naming the query and the property.
 */
export function translateRequest(
  request: DeclarativeRequest,
  options: TranslateOptions = {},
): TranslatedRequest {
  const { query: queries, settings } = request
  const warnings: string[] = []
  const dependencyOf = createDependencies(queries)
  const backend = options.backend ?? settings?.backend ?? 'elasticsearch'
  const items = queries.flatMap((query): TranslatedRequest['items'] => {
    const { id } = query
    checkAlways(query)
    const isElsewhere = hasEndpoint(query)
    if (query.execute === false) return []
    if (isElsewhere) return [{ kind: 'endpoint', id, request: endpointRequest(query, request) }]
    if (isSwitchedOff(query)) return [{ kind: 'empty', id }]
    const caller = settings?.userId ?? options.clientIp ?? 'local'
    const preference = options.preference ?? `${id}_${caller}`
    const body = queryBody(query, { dependencyOf, backend, warnings })
    return [{ kind: 'engine', id, ...(query.index && { index: query.index }), preference, body }]
  })
  return { items, warnings }
}

/** The mistakes that are refused even in queries that do not run. */
function checkAlways(query: IdentifiedQuery) {
  if (query.type === 'geo' && Array.isArray(query.dataField) && query.dataField.length > 1)
    throw invalidQuery(query, 'dataField', 'must be a single field in a query of type geo')
  if (query.highlightConfig && !query.highlight)
    throw invalidQuery(query, 'highlightConfig', 'has no effect: add "highlight": true')
}

const isSwitchedOff = (query: IdentifiedQuery) =>
  typeOf(query) === 'suggestion' &&
  (query.enableIndexSuggestions === false || query.enableEndpointSuggestions === false)
