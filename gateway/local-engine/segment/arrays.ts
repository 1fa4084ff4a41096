import type { Column } from './segment.ts'

/** Every kind of array a segment is made of. */
export type SegmentArray = Uint8Array | Int32Array | Float64Array | BigInt64Array

/** The arrays of a column by name; the other way round is `toColumn`. */
export function arraysOf(column: Column): Record<string, SegmentArray> {
  if (column.kind === 'numeric') {
    const { start, values, sorted, docOf } = column
    return { start, values, sorted, docOf }
  }
  const common = {
    termBytes: column.terms.bytes,
    termOffsets: column.terms.offsets,
    postingStart: column.postings.start,
    postingDocs: column.postings.docs,
  }
  if (column.kind === 'keyword') return { ...common, ordStart: column.ordStart, ords: column.ords }
  const { posOffset, positions, norms } = column
  return { ...common, posOffset, positions, norms }
}

/** Numbers of a column that are not arrays. */
export const numbersOf = (column: Column): Record<string, number> =>
  column.kind === 'text'
    ? { docsWithField: column.docsWithField, sumOfLengths: column.sumOfLengths }
    : { docsWithField: column.docsWithField }
