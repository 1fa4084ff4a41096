import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { engineQueryOf } from './engine-query.ts'
import { leakingOptions } from './options.ts'
import { ownClause } from './own-clause.ts'

/** What one query gives to those that react to it. */
export interface Dependency {
  clause?: JsonObject
  options: JsonObject
  /** Length of the clause as text. */
  length: number
}

/** Options of a custom query that are its own affair. */
const NEVER_GIVEN = new Set(['size', 'from', 'aggs', '_source', 'query'])

/** Finds dependencies by id, each translated once; undefined for an id that no query has. */
export function createDependencies(queries: readonly IdentifiedQuery[]) {
  const byId = new Map(queries.map((query) => [query.id, query]))
  const known = new Map<string, Dependency>()
  return (id: string): Dependency | undefined => {
    const before = known.get(id)
    const query = byId.get(id)
    if (before || !query) return before
    const dependency = toDependency(query)
    known.set(id, dependency)
    return dependency
  }
}

function toDependency(query: IdentifiedQuery): Dependency {
  const custom = engineQueryOf(query, 'customQuery')
  const given = Object.entries(custom.options).filter(([key]) => !NEVER_GIVEN.has(key))
  const clause = custom.clause ?? ownClause(query)
  return {
    options: { ...leakingOptions(query), ...Object.fromEntries(given) },
    ...(clause && { clause }),
    length: clause ? JSON.stringify(clause).length : 0,
  }
}
