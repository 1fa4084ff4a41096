import { float64, type FloatValue } from '../json/values.ts'
import type { FieldMapping } from '../mapping/field.ts'
import type { JsonObject } from '../query/define.ts'
import {
  defineAggregation,
  type AggregationBody,
  type AggregationContext,
  type Aggregator,
} from './define.ts'
import { numbersOf, numericField, textOfNumber } from './field-values.ts'
import { readField, readMissingNumber } from './read.ts'
import { createSummaries, type NumberSummary } from './summaries.ts'

/** How the answer of one metric follows from the numbers. */
interface Metric {
  readonly show: (summary: NumberSummary, text: (value: number) => string | undefined) => JsonObject
  /** Names of its numbers, where it has several. */
  readonly metrics?: readonly string[]
  readonly order: (summary: NumberSummary, metric: string | undefined) => number
}

/** One number, null without documents, with the text a date has beside it. */
function showValue(value: number | null, text: (value: number) => string | undefined): JsonObject {
  if (value === null) return { value: null }
  const beside = text(value)
  return { value: float64(value), ...(beside !== undefined && { value_as_string: beside }) }
}

const orNull = (summary: NumberSummary, value: number) => (summary.count === 0 ? null : value)
const average = ({ count, sum }: NumberSummary) => sum / count

const STATS = ['count', 'min', 'max', 'avg', 'sum'] as const

const METRICS: Readonly<Record<'min' | 'max' | 'avg' | 'sum' | 'stats', Metric>> = {
  min: { show: (own, text) => showValue(orNull(own, own.min), text), order: ({ min }) => min },
  max: { show: (own, text) => showValue(orNull(own, own.max), text), order: ({ max }) => max },
  avg: { show: (own, text) => showValue(orNull(own, average(own)), text), order: average },
  sum: { show: (own, text) => showValue(own.sum, text), order: ({ sum }) => sum },
  stats: {
    show: showStats,
    order: orderOfStats,
    metrics: STATS,
  },
}

/** Whoever sorts has checked that the name is one of these. */
function orderOfStats(own: NumberSummary, name: string | undefined): number {
  const metric = STATS.find((one) => one === name)
  if (metric === undefined) return Number.NaN
  return metric === 'avg' ? average(own) : own[metric]
}

function showStats(own: NumberSummary, text: (value: number) => string | undefined): JsonObject {
  if (own.count === 0) return { count: 0, min: null, max: null, avg: null, sum: float64(0) }
  const numbers = { min: own.min, max: own.max, avg: average(own), sum: own.sum }
  const shown: Record<string, number | FloatValue | string> = { count: own.count }
  for (const [name, value] of Object.entries(numbers)) shown[name] = float64(value)
  for (const [name, value] of Object.entries(numbers)) {
    const beside = text(value)
    if (beside !== undefined) shown[`${name}_as_string`] = beside
  }
  return shown
}

const define = (name: keyof typeof METRICS) =>
  defineAggregation({
    name,
    parameters: ['field', 'missing'],
    refused: ['script', 'format', 'value_type'],
    hasChildren: false,
    create: (body, context) => createMetric(name, body, context),
  })

/** The smallest number. */
export const minAggregation = define('min')
/** The largest number. */
export const maxAggregation = define('max')
/** The mean of the numbers. */
export const avgAggregation = define('avg')
/** The sum of the numbers. */
export const sumAggregation = define('sum')
/** Count, smallest, largest, mean and sum. */
export const statsAggregation = define('stats')

function createMetric(
  name: keyof typeof METRICS,
  body: AggregationBody,
  { now }: AggregationContext,
): Aggregator {
  const metric = METRICS[name]
  const field = readField(body)
  const missingOf = readMissingNumber(body, now)
  let missing: number | undefined
  const sums = createSummaries()
  let mapping: FieldMapping | undefined
  return {
    enter(target) {
      const own = numericField(target, field, name)
      mapping = own ?? mapping
      missing = missingOf(target, own)
    },
    collect(segment, docs, buckets) {
      const numbers = numbersOf(segment, field, missing)
      let bucket = 0
      const visit = (value: number) => sums.add(bucket, value)
      for (let i = 0; i < docs.length; i++) {
        bucket = buckets[i]!
        numbers(docs[i]!, visit)
      }
    },
    result: (bucket) => metric.show(sums.of(bucket), (value) => textOfNumber(mapping, value)),
    ...(metric.metrics && { metrics: metric.metrics }),
    orderValue: (bucket, key) => metric.order(sums.of(bucket), key),
  }
}
