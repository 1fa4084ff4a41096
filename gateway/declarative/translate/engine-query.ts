import { isJsonObject, type JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { invalidQuery } from './invalid-query.ts'

/** A `defaultQuery` or `customQuery`, taken apart. */
export interface EngineQuery {
  clause?: JsonObject
  /** Every key but `query`: size, sort, aggs, … */
  options: JsonObject
}

/**
 * Reads the engine's own query language from one of the two properties that may hold it.
 * @throws {GatewayError} DECLARATIVE_INVALID when its `query` is no object.
 */
export function engineQueryOf(
  query: IdentifiedQuery,
  property: 'defaultQuery' | 'customQuery',
): EngineQuery {
  const { query: clause, ...options } = query[property] ?? {}
  if (clause === undefined || clause === null) {
    if (typeof options.id === 'string')
      throw invalidQuery(query, property, `the stored query "${options.id}" is not known`)
    return { options }
  }
  if (!isJsonObject(clause)) throw invalidQuery(query, `${property}.query`, 'must be an object')
  return { clause, options }
}
