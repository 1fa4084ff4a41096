import type { FieldMapping } from '../mapping/field.ts'
import { createGrowingInts, push } from './growing.ts'
import type { NumericColumn } from './segment.ts'

/** Gathers one field of numbers or dates; documents come in ascending order. */
export function createNumericAccumulator(mapping: FieldMapping) {
  const round = ROUND[mapping.type] ?? ((value: number) => value)
  const docs = createGrowingInts()
  const values: (number | bigint)[] = []

  return { add, seal, sizeBytes: () => values.length * 24 }

  function add(doc: number, given: readonly unknown[]): void {
    // The mapping gives numbers to a numeric field, as ParsedFields says.
    const own = (given as readonly (number | bigint)[]).map((value) =>
      typeof value === 'bigint' ? value : round(value),
    )
    if (own.length > 1) own.sort(compareNumbers)
    for (const value of own) {
      push(docs, doc)
      values.push(value)
    }
  }

  function seal(docCount: number): NumericColumn {
    return toNumericColumn(docs.values.slice(0, docs.length), toColumnArray(values), docCount)
  }
}

const ROUND: Partial<Record<FieldMapping['type'], (value: number) => number>> = {
  float: Math.fround,
  half_float: Math.f16round,
}

/** Exact also between a number and a bigint. */
export const compareNumbers = (a: number | bigint, b: number | bigint): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Doubles where they are exact, else 64-bit integers. */
export const toColumnArray = (
  values: readonly (number | bigint)[],
): Float64Array | BigInt64Array =>
  values.some((value) => typeof value === 'bigint')
    ? BigInt64Array.from(values, (value) => BigInt(value))
    : Float64Array.from(values, Number)

/** A column from its values in order of documents, ascending within each. */
export function toNumericColumn(
  docOf: Int32Array,
  values: Float64Array | BigInt64Array,
  docCount: number,
): NumericColumn {
  const start = new Int32Array(docCount + 1)
  for (const doc of docOf) start[doc + 1]!++
  let docsWithField = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (start[doc + 1] !== 0) docsWithField++
    start[doc + 1]! += start[doc]!
  }
  const sorted = Int32Array.from(docOf, (_, i) => i)
  if (values instanceof Float64Array) sortByDouble(sorted, values)
  else sorted.sort((a, b) => compareNumbers(values[a]!, values[b]!) || a - b)
  return { kind: 'numeric', start, values, sorted, docOf, docsWithField }
}

function sortByDouble(sorted: Int32Array, values: Float64Array): void {
  for (let i = 1; ; i++) {
    // Serial numbers and times of events come in order: nothing to do.
    if (i >= values.length) return
    if (values[i]! < values[i - 1]!) break
  }
  sorted.sort((a, b) => values[a]! - values[b]! || a - b)
}
