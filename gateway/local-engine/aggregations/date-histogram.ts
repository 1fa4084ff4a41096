import { EngineFailure } from '../errors.ts'
import { fromLocal, zoneOffset } from '../mapping/dates/calendar.ts'
import { formatDate } from '../mapping/dates/format-date.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { createBucketTable } from './buckets.ts'
import { readDateInterval } from './date-interval.ts'
import { defineAggregation, type AggregationBody } from './define.ts'
import { numbersOf, numericField } from './field-values.ts'
import { fillGaps } from './gaps.ts'
import { createKeyNumbers } from './keys.ts'
import { readOrder } from './order.ts'
import { readCount, readField, readFlag, readMissingNumber, readText } from './read.ts'

/** Buckets of one span of time, fixed or by the calendar. */
export const dateHistogramAggregation = defineAggregation({
  name: 'date_histogram',
  parameters: [
    'field',
    'calendar_interval',
    'fixed_interval',
    'time_zone',
    'format',
    'min_doc_count',
    'keyed',
    'missing',
    'order',
  ],
  refused: ['script', 'interval', 'offset', 'extended_bounds', 'hard_bounds'],
  hasChildren: true,
  create(given, { children, now, countBucket }) {
    const field = readField(given)
    const { startOf, nextOf } = readDateInterval(given)
    const zone = readZone(given)
    const minDocCount = readCount(given, 'min_doc_count', 0, 0)
    const keyed = readFlag(given, 'keyed')
    const missingOf = readMissingNumber(given, now)
    let missing: number | undefined
    const keys = createKeyNumbers()
    const table = createBucketTable(children)
    const keyOf = (bucket: { key: number }) => Number(keys.keys[bucket.key])
    const order = readOrder(given, keyOf, children, { _key: 'asc' })
    const toLocal = (time: number) => time + (zoneOffset(zone, time) ?? 0)
    const toTime = (local: number) => fromLocal(local, zone) ?? local
    let mapping: FieldMapping | undefined
    /** The key as text: plain numbers have none beside them. */
    const textOf = (time: number) => {
      const { format } = given.body
      if (typeof format === 'string') return formatDate(time, format, zone)
      if (mapping && mapping.type !== 'date') return undefined
      return formatDate(time, mapping?.format ?? 'strict_date_optional_time', zone)
    }
    return {
      async enter(target, filterOf) {
        const own = numericField(target, field, 'date_histogram')
        mapping = own ?? mapping
        missing = missingOf(target, own)
        await children?.enter(target, filterOf)
      },
      async collect(segment, docs, buckets) {
        const numbers = numbersOf(segment, field, missing)
        table.begin()
        for (let i = 0; i < docs.length; i++) {
          let last = Number.NaN
          numbers(docs[i]!, (value) => {
            const start = startOf(toLocal(value))
            if (start === last) return
            last = start
            table.put(docs[i]!, buckets[i]!, keys.numberOf(toTime(start)))
          })
        }
        await table.end(segment)
      },
      result(parent) {
        if (minDocCount === 0)
          fillGaps({
            present: table.of(parent).map(keyOf),
            reach: [],
            next: (key) => toTime(nextOf(toLocal(key))),
            add: (key) => void table.require(parent, keys.numberOf(key)),
          })
        const shown = table
          .of(parent)
          .filter(({ count }) => count >= minDocCount)
          .toSorted(order)
          .map((bucket) => {
            countBucket()
            const text = textOf(keyOf(bucket))
            return {
              ...(text !== undefined && { key_as_string: text }),
              key: keyOf(bucket),
              doc_count: bucket.count,
              ...table.resultsOf(bucket, bucket.count === 0),
            }
          })
        return {
          buckets: keyed
            ? Object.fromEntries(shown.map((one) => [one.key_as_string ?? one.key, one]))
            : shown,
        }
      },
    }
  },
})

const readZone = (given: AggregationBody): string =>
  readText(given, 'time_zone', (zone) => {
    if (zoneOffset(zone, 0) !== undefined) return zone
    throw new EngineFailure(400, 'zone_rules_exception', `Unknown time-zone ID: ${zone}`)
  }) ?? 'Z'
