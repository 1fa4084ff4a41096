import { isJsonObject, type JsonObject } from '../json-object.ts'
import { isNumeric, type Numeric, toNumber } from '../parse-json.ts'
import type { IdentifiedQuery } from '../request.ts'
import { requiredFields } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'
import { inNested } from './nested.ts'

/** What one entry of a range says; a bound that is not given is absent. */
export interface Bounds {
  start?: string | Numeric
  end?: string | Numeric
  boost?: Numeric
}

/** The clause of a `range` query from its `value`; none when no bound is given. */
export function rangeClause(query: IdentifiedQuery): JsonObject | undefined {
  const { value } = query
  if (value === undefined) return undefined
  const given = Array.isArray(value) ? value : [value]
  const bounds = given.map((one) => boundsOf(query, 'value', one)).filter(hasBound)
  if (bounds.length === 0) return undefined
  const [field] = requiredFields(query)
  const clauses = bounds.map((one) => orNull(query, field, toRange(query, field, one)))
  const [clause] = clauses
  if (!Array.isArray(value)) return clause && inNested(query, clause)
  return inNested(query, { bool: { should: clauses, minimum_should_match: 1, boost: 1 } })
}

/** The clause of the property `range`, which limits a query's own aggregations. */
export function ownRangeClause(query: IdentifiedQuery): JsonObject | undefined {
  if (!query.range) return undefined
  const bounds = boundsOf(query, 'range', query.range)
  if (!hasBound(bounds)) return undefined
  const [field] = requiredFields(query)
  return inNested(query, toRange(query, field, bounds))
}

/**
 * Reads `{start, end, boost}`.
 * @throws {GatewayError} DECLARATIVE_INVALID when it is something else or ends before it starts.
 */
export function boundsOf(query: IdentifiedQuery, property: string, given: unknown): Bounds {
  if (!isJsonObject(given))
    throw invalidQuery(query, property, 'must be an object such as {"start": 1, "end": 9}')
  const bounds: Bounds = {}
  for (const name of ['start', 'end'] as const) {
    const bound = given[name]
    if (bound === undefined || bound === null) continue
    if (typeof bound !== 'string' && !isNumeric(bound))
      throw invalidQuery(query, `${property}.${name}`, 'must be a number or text')
    bounds[name] = bound
  }
  // Clients send a boost as text, too, which the reference passes over without a word.
  if (isNumeric(given.boost)) bounds.boost = given.boost
  if (endsBeforeStart(bounds))
    throw invalidQuery(query, property, 'ends before it starts: exchange "start" and "end"')
  return bounds
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}/

/** Certain only for two numbers and for two ISO dates; anything else is the engine's to judge. */
function endsBeforeStart({ start, end }: Bounds) {
  if (start === undefined || end === undefined) return false
  if (isNumeric(start) && isNumeric(end)) return toNumber(end) < toNumber(start)
  if (typeof start !== 'string' || typeof end !== 'string') return false
  return ISO_DAY.test(start) && ISO_DAY.test(end) && end.slice(0, 10) < start.slice(0, 10)
}

const hasBound = ({ start, end }: Bounds) => start !== undefined || end !== undefined

function toRange({ queryFormat = 'or' }: IdentifiedQuery, field: string, bounds: Bounds) {
  const { start, end, boost } = bounds
  const format = queryFormat === 'or' || queryFormat === 'and' ? undefined : queryFormat
  return {
    range: {
      [field]: {
        ...(start !== undefined && { gte: start }),
        ...(end !== undefined && { lte: end }),
        ...(boost !== undefined && { boost }),
        ...(format !== undefined && { format }),
      },
    },
  }
}

const orNull = ({ includeNullValues }: IdentifiedQuery, field: string, clause: JsonObject) =>
  includeNullValues
    ? { bool: { should: [clause, { bool: { must_not: { exists: { field } } } }] } }
    : clause
