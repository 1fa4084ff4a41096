import { EngineFailure, failures } from '../errors.ts'
import { isObject, malformed } from '../query/define.ts'
import { plainText } from '../query/parameters.ts'
import { compareCodePoints } from '../segment/dictionary.ts'
import type { Bucket } from './buckets.ts'
import type { AggregationBody, AggregatorGroup } from './define.ts'
import type { Key } from './keys.ts'
import { readParameter } from './read.ts'

/** Compares two buckets of one aggregation. */
export type BucketOrder = (a: Bucket, b: Bucket) => number

/** What `order` sorts by first: the engine bounds the error of a count only for some. */
type FirstOrder = 'count' | 'key' | 'other'

/** Order of keys: numbers by value, text by code point. */
export const compareKeys = (a: Key, b: Key): number =>
  typeof a === 'string' && typeof b === 'string'
    ? compareCodePoints(a, b)
    : a < b
      ? -1
      : a > b
        ? 1
        : 0

/**
 * Reads `order`: `{_count | _key | metric | metric.value: asc | desc}`, or a list of these. Ties go
 * by key, ascending.
 * @throws {EngineFailure} when a metric is not among the sub-aggregations.
 */
export function readOrder(
  request: AggregationBody,
  keyOf: (bucket: Bucket) => Key,
  children: AggregatorGroup | undefined,
  otherwise: Readonly<Record<string, string>>,
): BucketOrder {
  const named =
    readParameter(request, 'order', isOrder, (value) =>
      [value].flat().map((one) => readOne(one, request)),
    ) ?? Object.entries(otherwise).map(([by, direction]) => ({ by, sign: signOf(direction) }))
  const orders = named.map(({ by, sign }) => orderBy(by, keyOf, children)(sign))
  const byKey: BucketOrder = (a, b) => compareKeys(keyOf(a), keyOf(b))
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b)
      if (result !== 0) return result
    }
    return byKey(a, b)
  }
}

/** The falling count, which is the order without `order`, any order of keys, or another. */
export function firstOrder({ body }: AggregationBody): FirstOrder {
  const first: unknown = [body.order].flat()[0]
  const [by, direction] = (isObject(first) && Object.entries(first).at(-1)) || ['_count', 'desc']
  if (by === '_key' || by === '_term') return 'key'
  return by === '_count' && signOf(direction) < 0 ? 'count' : 'other'
}

const isOrder = (value: unknown) => isObject(value) || Array.isArray(value)

/** Of several orders in one object the last one counts, as in the engine. */
function readOne(one: unknown, { positions }: AggregationBody) {
  if (!isObject(one)) throw failures.illegalArgument('expected an object in [order]')
  for (const [key, direction] of Object.entries(one))
    if (!isDirection(direction))
      throw malformed(`Unknown order direction [${plainText(direction)}]`, one, positions, {
        value: key,
      })
  const last = Object.entries(one).at(-1)
  if (!last) throw malformed('Must specify at least one field for [order]', one, positions, 'end')
  return { by: last[0], sign: signOf(last[1]) }
}

const isDirection = (given: unknown): given is string =>
  typeof given === 'string' && ['asc', 'desc'].includes(given.toLowerCase())

const signOf = (direction: unknown): 1 | -1 =>
  isDirection(direction) && direction.toLowerCase() === 'desc' ? -1 : 1

const wrongPath = (path: string, reason: string) =>
  new EngineFailure(
    500,
    'aggregation_execution_exception',
    `Invalid aggregation order path [${path}]. ${reason}`,
    { causedBy: { type: 'illegal_argument_exception', reason } },
  )

function orderBy(
  by: string,
  keyOf: (bucket: Bucket) => Key,
  children: AggregatorGroup | undefined,
): (sign: 1 | -1) => BucketOrder {
  if (by === '_count') return (sign) => (a, b) => sign * (a.count - b.count)
  if (by === '_key' || by === '_term')
    return (sign) => (a, b) => sign * compareKeys(keyOf(a), keyOf(b))
  const dot = by.lastIndexOf('.')
  const [member, metric] =
    children?.members.has(by) || dot < 0 ? [by, undefined] : [by.slice(0, dot), by.slice(dot + 1)]
  const child = children?.members.get(member)
  if (!child)
    throw wrongPath(
      by,
      `The provided aggregation [${member}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
    )
  if (!child.orderValue)
    throw wrongPath(
      by,
      'Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end.',
    )
  if (child.metrics && !child.metrics.includes(metric ?? ''))
    throw wrongPath(
      by,
      metric === undefined
        ? 'When ordering on a multi-value metrics aggregation a metric name must be specified.'
        : `Unknown metric name [${metric}] on multi-value metrics aggregation [${member}]`,
    )
  const valueOf = (bucket: Bucket) =>
    child.orderValue?.(bucket.number, metric === 'value' ? undefined : metric) ?? Number.NaN
  return (sign) => (a, b) => {
    const left = valueOf(a)
    const right = valueOf(b)
    // Buckets without a value stand last in either direction.
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
    return left < right ? -sign : left > right ? sign : 0
  }
}
