import { EngineFailure, failures } from '../errors.ts'
import { isObject } from '../query/define.ts'
import { compareCodePoints } from '../segment/dictionary.ts'
import type { Bucket } from './buckets.ts'
import type { AggregationBody, AggregatorGroup } from './define.ts'
import type { Key } from './keys.ts'

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
  { name, body }: AggregationBody,
  keyOf: (bucket: Bucket) => Key,
  children: AggregatorGroup | undefined,
  otherwise: Readonly<Record<string, string>>,
): BucketOrder {
  const given = body.order ?? otherwise
  const orders = (Array.isArray(given) ? given : [given]).flatMap((one: unknown) => {
    if (!isObject(one))
      throw failures.illegalArgument(`[order] of [${name}] must be an object or a list of objects`)
    return Object.entries(one).map(([by, direction]) =>
      orderBy(by, name, keyOf, children)(signOf(direction)),
    )
  })
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
  const [by, direction] = (isObject(first) && Object.entries(first)[0]) || ['_count', 'desc']
  if (by === '_key' || by === '_term') return 'key'
  return by === '_count' && signOf(direction) < 0 ? 'count' : 'other'
}

function signOf(direction: unknown): 1 | -1 {
  const word = typeof direction === 'string' ? direction.toLowerCase() : direction
  if (word === 'asc') return 1
  if (word === 'desc') return -1
  throw new EngineFailure(
    400,
    'parsing_exception',
    'Unknown order direction [' + String(word) + ']',
  )
}

function orderBy(
  by: string,
  name: string,
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
  if (!child?.orderValue)
    throw new EngineFailure(
      500,
      'aggregation_execution_exception',
      `Invalid aggregation order path [${by}]. The provided aggregation [${member}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
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
