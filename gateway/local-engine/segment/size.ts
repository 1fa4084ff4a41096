import type { Segment } from './segment.ts'

/** Bytes of all arrays of a segment. */
export function segmentBytes(segment: Segment): number {
  throw new Error(`in work: ${segment.docCount}`)
}
