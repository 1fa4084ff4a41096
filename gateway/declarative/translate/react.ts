import { isJsonObject, type JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import type { Dependency } from './dependencies.ts'
import { invalidQuery } from './invalid-query.ts'

/** What a query takes over from those it reacts to. */
export interface Reaction {
  /** One `bool` for each group that yields a clause; all of them must match. */
  clauses: JsonObject[]
  options: JsonObject
}

const KEYS = { and: 'must', or: 'should', not: 'must_not' } as const
type Conjunction = keyof typeof KEYS

const MAX_DEPTH = 32
/** Characters. An id costs a few bytes and stands for a whole clause: lists of ids must not swell. */
const MAX_LENGTH = 16_000_000

/** Evaluates `react`. Dependencies count by their own value only: one level, so cycles end. */
export function evaluateReact(
  query: IdentifiedQuery,
  dependencyOf: (id: string) => Dependency | undefined,
): Reaction {
  const options: JsonObject = {}
  let length = 0
  const clauseOf = (id: string) => {
    const dependency = dependencyOf(id)
    if (!dependency) return undefined
    Object.assign(options, dependency.options)
    length += dependency.length
    if (length > MAX_LENGTH)
      throw invalidQuery(query, 'react', `becomes more than ${MAX_LENGTH} characters of clauses`)
    return dependency.clause
  }
  const checkDepth = (depth: number) => {
    if (depth > MAX_DEPTH)
      throw invalidQuery(query, 'react', `is nested deeper than ${MAX_DEPTH} levels`)
  }
  /** The clauses of `{and, or, not}`. */
  const groupsOf = (react: JsonObject, depth: number): JsonObject[] => {
    checkDepth(depth)
    return (['and', 'or', 'not'] as const).flatMap((conjunction) =>
      groupOf(conjunction, react[conjunction], depth),
    )
  }
  const groupOf = (conjunction: Conjunction, given: unknown, depth: number): JsonObject[] => {
    if (isJsonObject(given)) {
      const groups = groupsOf(given, depth + 1)
      return conjunction === 'and' ? groups : joined(conjunction, groups)
    }
    if (Array.isArray(given)) return joined(conjunction, entriesOf(given, depth))
    const clause = typeof given === 'string' ? clauseOf(given) : undefined
    return clause ? [joinedAs(conjunction, clause)] : []
  }
  const entriesOf = (given: unknown[], depth: number): JsonObject[] => {
    checkDepth(depth)
    return given.flatMap((entry) => {
      if (Array.isArray(entry)) return entriesOf(entry, depth + 1)
      if (isJsonObject(entry)) return allOf(groupsOf(entry, depth + 1))
      const clause = typeof entry === 'string' ? clauseOf(entry) : undefined
      return clause ? [clause] : []
    })
  }
  return { clauses: query.react ? groupsOf(query.react, 0) : [], options }
}

/** Groups inside a list make one entry of it. */
const allOf = (groups: JsonObject[]) => (groups.length > 1 ? [{ bool: { must: groups } }] : groups)

const joined = (conjunction: Conjunction, clauses: JsonObject[]) =>
  clauses.length > 0 ? [joinedAs(conjunction, clauses)] : []

const joinedAs = (conjunction: Conjunction, clauses: JsonObject | JsonObject[]): JsonObject => ({
  bool: {
    [KEYS[conjunction]]: clauses,
    ...(conjunction === 'or' && { minimum_should_match: 1 }),
  },
})
