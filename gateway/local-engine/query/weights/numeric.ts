import type { NumericColumn, Segment } from '../../segment/segment.ts'
import type { Bounds } from '../node.ts'
import type { Weight } from '../weight.ts'
import { createMarks, markedDocs } from './docs.ts'

/** Documents with a value between two bounds; all score the same. */
export function createNumericWeight(
  field: string,
  bounds: Bounds<number | bigint>,
  score: number,
): Weight {
  const { low, high, includeLow, includeHigh } = bounds
  const columnOf = (segment: Segment): NumericColumn | undefined => {
    const column = segment.columns.get(field)
    return column?.kind === 'numeric' ? column : undefined
  }
  const rangeOf = (column: NumericColumn) => ({
    from: low === undefined ? 0 : firstNotBelow(column, low, !includeLow),
    to: high === undefined ? column.values.length : firstNotBelow(column, high, includeHigh),
  })
  const isBelow = (value: number | bigint) =>
    low !== undefined && (includeLow ? value < low : value <= low)
  const isAbove = (value: number | bigint) =>
    high !== undefined && (includeHigh ? value > high : value >= high)

  return {
    cost(segment) {
      const column = columnOf(segment)
      if (!column) return 0
      const { from, to } = rangeOf(column)
      return Math.max(0, Math.min(to - from, segment.docCount))
    },
    match(segment, within) {
      const column = columnOf(segment)
      if (!column) return { docs: new Int32Array(0), scores: score }
      return {
        docs: within ? test(column, within) : all(column, segment.docCount),
        scores: score,
      }
    },
  }

  function all(column: NumericColumn, docCount: number): Int32Array {
    const { from, to } = rangeOf(column)
    const { sorted, docOf } = column
    if (to - from < docCount >> 6) {
      const docs = new Int32Array(Math.max(0, to - from))
      for (let i = from; i < to; i++) docs[i - from] = docOf[sorted[i]!]!
      return distinct(docs.toSorted())
    }
    const marks = createMarks(docCount)
    for (let i = from; i < to; i++) marks[docOf[sorted[i]!]!] = 1
    return markedDocs(marks, docCount)
  }

  function test({ start, values }: NumericColumn, within: Int32Array): Int32Array {
    const docs = new Int32Array(within.length)
    let count = 0
    for (const doc of within)
      for (let i = start[doc]!; i < start[doc + 1]!; i++) {
        const value = values[i]!
        if (isBelow(value)) continue
        // Values of a document ascend.
        if (!isAbove(value)) docs[count++] = doc
        break
      }
    return docs.subarray(0, count)
  }
}

/** The place in order of value of the first value not below `bound`, or above it when `after`. */
function firstNotBelow(
  { sorted, values }: NumericColumn,
  bound: number | bigint,
  after: boolean,
): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = values[sorted[middle]!]!
    if (after ? value <= bound : value < bound) low = middle + 1
    else high = middle
  }
  return low
}

function distinct(sorted: Int32Array): Int32Array {
  let count = 0
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!
  return sorted.subarray(0, count)
}
