import type { JsonObject } from '../json-object.ts'
import type { Backend, IdentifiedQuery } from '../request.ts'
import type { Dependency } from './dependencies.ts'
import { engineQueryOf } from './engine-query.ts'
import { ownOptions } from './options.ts'
import { ownClause, typeOf } from './own-clause.ts'
import { ownRangeClause } from './range.ts'
import { evaluateReact } from './react.ts'
import { withVectors } from './vectors.ts'

/** What surrounds one query while it is translated. */
export interface TranslationScope {
  dependencyOf: (id: string) => Dependency | undefined
  backend: Backend
  /** Receives what was asked for and cannot be had. */
  warnings: string[]
}

/** The body of the engine's search request for one query. */
export function queryBody(query: IdentifiedQuery, scope: TranslationScope): JsonObject {
  const reaction = evaluateReact(query, scope.dependencyOf)
  const fallback = engineQueryOf(query, 'defaultQuery')
  const body = {
    ...reaction.options,
    ...ownOptions(query, scope.warnings),
    ...fallback.options,
    query: mainClause(query, reaction.clauses, fallback.clause) ?? { match_all: {} },
  }
  return withVectors(query, body, scope.backend)
}

function mainClause(
  query: IdentifiedQuery,
  reactions: JsonObject[],
  fallback: JsonObject | undefined,
): JsonObject | undefined {
  const type = typeOf(query)
  if (reactions.length > 0) {
    const isText = type === 'search' || type === 'suggestion'
    const own = fallback ?? (isText ? ownClause(query) : undefined)
    return { bool: { must: own ? [...reactions, own] : reactions } }
  }
  if (fallback) return fallback
  const own = ownClause(query)
  // A facet shows all values to choose from: its own choice filters others only.
  if (type === 'term') return undefined
  return (type === 'range' && ownRangeClause(query)) || own
}
