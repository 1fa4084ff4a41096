import { failures } from '../errors.ts'
import { float64 } from '../json/values.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { parseDate } from '../mapping/dates/parse-date.ts'
import type { JsonObject } from '../query/define.ts'
import { plainText } from '../query/parameters.ts'
import { booleanTerm, isNumeric, isWhole, numberOf, withReason } from '../query/values.ts'
import { createBucketTable, type Bucket } from './buckets.ts'
import { countError } from './count-error.ts'
import { defineAggregation, type AggregationBody } from './define.ts'
import { aggregatedField, textOfNumber } from './field-values.ts'
import { checkKeyFilter, readKeyFilter } from './include.ts'
import { createKeyNumbers, type Key } from './keys.ts'
import { firstOrder, readOrder } from './order.ts'
import { isPlain, readCount, readField, readParameter, readText } from './read.ts'

const DEFAULT_SIZE = 10

/** One bucket for each value of a field, the most frequent first unless told otherwise. */
export const termsAggregation = defineAggregation({
  name: 'terms',
  parameters: [
    'field',
    'size',
    'shard_size',
    'order',
    'min_doc_count',
    'shard_min_doc_count',
    'include',
    'exclude',
    'missing',
    'collect_mode',
    'execution_hint',
  ],
  refused: ['script', 'format', 'value_type', 'show_term_doc_count_error'],
  hasChildren: true,
  create(given, { children, now, countBucket }) {
    const field = readField(given)
    const size = readCount(given, 'size', DEFAULT_SIZE, 1)
    const minDocCount = readCount(given, 'min_doc_count', 1, 0)
    const shardSize = readShardSize(given, size)
    const isWanted = readKeyFilter(given)
    const missing = readParameter(given, 'missing', isPlain, (value) => value)
    checkHints(given)
    const keys = createKeyNumbers()
    const table = createBucketTable(children)
    const keyOf = (bucket: Bucket) => keys.keys[bucket.key]!
    const order = readOrder(given, keyOf, children, { _count: 'desc' })
    const first = firstOrder(given)
    /** What each bucket counted before each index was entered. */
    const marks: ReadonlyMap<Bucket, number>[] = []
    let mapping: FieldMapping | undefined
    let missingKey: number | undefined
    return {
      async enter(target, filterOf) {
        mapping = aggregatedField(target, field) ?? mapping
        marks.push(table.counts())
        if (mapping) checkKeyFilter(given, isNumeric(mapping))
        if (missing !== undefined)
          missingKey = keys.numberOf(withReason(() => toKey(missing, mapping, now)))
        if (minDocCount === 0)
          for (const { segment } of target.snapshot.segments) keys.addAll(segment, field)
        await children?.enter(target, filterOf)
      },
      async collect(segment, docs, buckets) {
        const eachKey = keys.open(segment, field)
        table.begin()
        for (let i = 0; i < docs.length; i++) {
          const doc = docs[i]!
          const parent = buckets[i]!
          let any = false
          eachKey(doc, (key) => {
            any = true
            table.put(doc, parent, key)
          })
          if (!any && missingKey !== undefined) table.put(doc, parent, missingKey)
        }
        await table.end(segment)
      },
      typeName: () => typedName(mapping),
      result(parent, isGap = false) {
        if (minDocCount === 0 && !isGap) keys.keys.forEach((_, key) => table.require(parent, key))
        const wanted = table
          .of(parent)
          .filter((bucket) => isWanted(keyOf(bucket)))
          .toSorted(order)
        // What a shard would not have sent counts as other; what it sent in vain does not.
        const sent = wanted.slice(0, shardSize)
        const found = sent.filter(({ count }) => count >= minDocCount)
        const others = [...found.slice(size), ...wanted.slice(shardSize)]
        return {
          doc_count_error_upper_bound: countError(wanted, { marks, shardSize, first, minDocCount }),
          sum_other_doc_count: others.reduce((sum, { count }) => sum + count, 0),
          buckets: found.slice(0, size).map((bucket) => {
            countBucket()
            return {
              ...showKey(keyOf(bucket), mapping),
              doc_count: bucket.count,
              ...table.resultsOf(bucket),
            }
          }),
        }
      },
    }
  },
})

/** Hints change nothing here; wrong ones are refused all the same. */
function checkHints(given: AggregationBody) {
  readText(given, 'collect_mode', (mode) => {
    if (mode !== 'depth_first' && mode !== 'breadth_first')
      throw failures.parse(`no [collect_mode] found for value [${mode}]`)
  })
}

function typedName(mapping: FieldMapping | undefined): string {
  if (!mapping || mapping.type === 'keyword') return 'sterms'
  return isWhole(mapping) || mapping.type === 'date' || mapping.type === 'boolean'
    ? 'lterms'
    : 'dterms'
}

/** How many buckets a shard sends: more than are shown, unless they are sorted by key. */
function readShardSize(given: AggregationBody, size: number): number {
  const otherwise = firstOrder(given) === 'key' ? size : Math.trunc(size * 1.5 + 10)
  return Math.max(size, readCount(given, 'shard_size', otherwise, 1))
}

function toKey(value: unknown, mapping: FieldMapping | undefined, now: number): Key {
  if (!mapping) return plainText(value)
  if (mapping.type === 'boolean') return booleanTerm(value)
  if (mapping.type === 'date') return parseDate(plainText(value), mapping.format, { now })
  return isNumeric(mapping) ? numberOf(mapping, value) : plainText(value)
}

function showKey(key: Key, mapping: FieldMapping | undefined): JsonObject {
  if (mapping?.type === 'boolean')
    return { key: key === 'T' ? 1 : 0, key_as_string: String(key === 'T') }
  if (typeof key === 'string' || !mapping) return { key }
  if (mapping.type === 'date') return { key, key_as_string: textOfNumber(mapping, Number(key)) }
  return { key: isWhole(mapping) ? key : float64(Number(key)) }
}
