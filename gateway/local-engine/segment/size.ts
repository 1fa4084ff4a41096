import { arraysOf } from './arrays.ts'
import type { Segment } from './segment.ts'

/** Bytes of all arrays of a segment. */
export function segmentBytes(segment: Segment): number {
  let bytes = segment.rows.byteLength
  for (const column of segment.columns.values())
    for (const array of Object.values(arraysOf(column))) bytes += array.byteLength
  return bytes
}
