import { EngineFailure, failures } from '../errors.ts'
import { float64 } from '../json/values.ts'
import { writeFloat } from '../json/write.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { isObject, unknownField } from '../query/define.ts'
import { numberOfToken } from '../query/tokens.ts'
import { createBucketTable } from './buckets.ts'
import { defineAggregation, type AggregationBody } from './define.ts'
import { numbersOf, numericField, textOfNumber } from './field-values.ts'
import { createKeyNumbers } from './keys.ts'
import { readOrder } from './order.ts'
import {
  isNumberOrText,
  readCount,
  readField,
  readFlag,
  readMissingNumber,
  readNumber,
  readParameter,
} from './read.ts'
import { fillGaps } from './gaps.ts'

/** Numbers of keys kept in an array instead of looked up; most histograms have fewer. */
const MOST_CACHED = 4096

/** Buckets of equal width over numbers. */
export const histogramAggregation = defineAggregation({
  name: 'histogram',
  parameters: [
    'field',
    'interval',
    'offset',
    'min_doc_count',
    'keyed',
    'missing',
    'order',
    'extended_bounds',
  ],
  refused: ['script', 'format', 'hard_bounds', 'value_type'],
  hasChildren: true,
  create(given, { children, now, countBucket }) {
    const field = readField(given)
    const interval = readInterval(given)
    const offset = readNumber(given, 'offset') ?? 0
    const minDocCount = readCount(given, 'min_doc_count', 0, 0)
    const keyed = readFlag(given, 'keyed')
    const missingOf = readMissingNumber(given, now)
    let missing: number | undefined
    const bounds = readBounds(given)
    const keys = createKeyNumbers()
    const table = createBucketTable(children)
    const keyOf = (bucket: { key: number }) => Number(keys.keys[bucket.key])
    let mapping: FieldMapping | undefined
    const order = readOrder(given, keyOf, children, { _key: 'asc' })
    const stepOf = (value: number) => Math.floor((value - offset) / interval)
    const keyAt = (step: number) => step * interval + offset
    const known: number[] = []
    const keyNumber = (step: number) => {
      if (!(step >= 0 && step < MOST_CACHED)) return keys.numberOf(keyAt(step))
      while (known.length <= step) known.push(-1)
      if (known[step]! < 0) known[step] = keys.numberOf(keyAt(step))
      return known[step]!
    }
    return {
      async enter(target, filterOf) {
        const own = numericField(target, field, 'histogram')
        mapping = own ?? mapping
        missing = missingOf(target, own)
        await children?.enter(target, filterOf)
      },
      async collect(segment, docs, buckets) {
        const numbers = numbersOf(segment, field, missing)
        table.begin()
        for (let i = 0; i < docs.length; i++) {
          // Values ascend: those of one bucket follow each other.
          let last = Number.NaN
          numbers(docs[i]!, (value) => {
            const step = stepOf(value)
            if (step === last) return
            last = step
            table.put(docs[i]!, buckets[i]!, keyNumber(step))
          })
        }
        await table.end(segment)
      },
      result(parent) {
        if (minDocCount === 0)
          fillGaps({
            present: table.of(parent).map(keyOf),
            reach: bounds.map((bound) => keyAt(stepOf(bound))),
            next: (key) => keyAt(Math.round((key - offset) / interval) + 1),
            add: (key) => void table.require(parent, keys.numberOf(key)),
          })
        const shown = table
          .of(parent)
          .filter(({ count }) => count >= minDocCount)
          .toSorted(order)
          .map((bucket) => {
            countBucket()
            const key = keyOf(bucket)
            const text = textOfNumber(mapping, key)
            return {
              ...(text !== undefined && { key_as_string: text }),
              key: float64(key),
              doc_count: bucket.count,
              ...table.resultsOf(bucket, bucket.count === 0),
            }
          })
        return {
          buckets: keyed
            ? Object.fromEntries(
                shown.map((one) => [one.key_as_string ?? writeFloat(one.key), one]),
              )
            : shown,
        }
      },
    }
  },
})

function readInterval(given: AggregationBody): number {
  const interval = readParameter(given, 'interval', isNumberOrText, (value) => {
    const number = numberOfToken(value)
    if (number > 0) return number
    throw failures.illegalArgument(
      `[interval] must be >0 for histogram aggregation [${given.name}]`,
    )
  })
  if (interval !== undefined) return interval
  const reason = 'interval must be positive, got: 0.0'
  throw new EngineFailure(400, 'illegal_argument_exception', reason, { isAtShards: true })
}

const BOUNDS = ['min', 'max']

/** The smallest and the largest number to show; either may be left out. */
function readBounds(given: AggregationBody): readonly number[] {
  const bounds = readParameter(given, 'extended_bounds', isObject, (value) => {
    const body = isObject(value) ? value : {}
    const wrong = Object.keys(body).find((key) => !BOUNDS.includes(key))
    if (wrong !== undefined)
      throw unknownField({ parser: 'double_bounds', body }, wrong, BOUNDS, given.positions)
    const read = (key: string) => {
      const bound = body[key] ?? undefined
      return bound === undefined ? undefined : numberOfToken(bound)
    }
    const [min, max] = [read('min'), read('max')]
    if (min !== undefined && max !== undefined && min > max)
      throw failures.illegalArgument(
        `[extended_bounds] of [${given.name}] needs numbers, min below max`,
      )
    return [min, max].filter((bound) => bound !== undefined)
  })
  return bounds ?? []
}
