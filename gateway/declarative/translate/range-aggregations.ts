import { isJsonObject, type JsonObject } from '../json-object.ts'
import { isNumeric, type Numeric, toNumber } from '../parse-json.ts'
import type { IdentifiedQuery } from '../request.ts'
import { fieldsOf } from './fields.ts'
import { type Bounds, boundsOf } from './range.ts'

/** The aggregations a `range` query names; undefined when it names none. */
export function rangeAggregations(
  query: IdentifiedQuery,
  warnings: string[],
): JsonObject | undefined {
  const { aggregations, nestedField } = query
  if (!aggregations) return undefined
  const field = fieldsOf(query)[0]?.name ?? ''
  const aggs: JsonObject = {}
  for (const name of ['min', 'max'] as const)
    if (aggregations.includes(name)) aggs[name] = { [name]: { field } }
  if (aggregations.includes('histogram') || aggregations.includes('date-histogram')) {
    const histogram = histogramOf(query, field)
    if (typeof histogram === 'string') warnings.push(`Query "${query.id}": ${histogram}`)
    else aggs[field] = histogram
  }
  return nestedField ? { [nestedField]: { nested: { path: nestedField }, aggs } } : aggs
}

/** The histogram, or why it is not asked for: an engine would refuse it or drown in buckets. */
function histogramOf(query: IdentifiedQuery, field: string): JsonObject | string {
  const { calendarinterval, interval, aggregations = [] } = query
  if (calendarinterval) return { date_histogram: { field, calendar_interval: calendarinterval } }
  const bounds = (['range', 'value'] as const)
    .filter((property) => isJsonObject(query[property]))
    .map((property) => boundsOf(query, property, query[property]))
  const [first = {}] = bounds.filter(isBounded)
  const isDate =
    !aggregations.includes('histogram') ||
    bounds.some(({ start, end }) => typeof start === 'string' || typeof end === 'string')
  if (isDate) return 'a histogram of dates needs "calendarinterval", so none was asked for'
  const { start, end } = first
  if (isNumeric(start) && isNumeric(end))
    return { histogram: { field, interval: intervalOf(start, end, interval), offset: start } }
  if (interval === undefined)
    return 'a histogram needs "start" and "end" or an "interval", so none was asked for'
  return { histogram: { field, interval, ...(isNumeric(start) && { offset: start }) } }
}

const isBounded = ({ start, end }: Bounds) => start !== undefined || end !== undefined

/** At most about a hundred buckets, however small an interval is asked for. */
function intervalOf(start: Numeric, end: Numeric, asked = 0) {
  const least = Math.max(1, Math.ceil((toNumber(end) - toNumber(start)) / 100))
  return Math.max(least, asked)
}
