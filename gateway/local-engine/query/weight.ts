import type { Segment } from '../segment/segment.ts'

/** Matching documents of a segment, ascending. */
export interface Matches {
  readonly docs: Int32Array
  /** One 32-bit float a document, or the score all of them have. */
  readonly scores: Float32Array | number
}

/** A query ready to run: boosts and statistics are worked in. */
export interface Weight {
  /** How many documents of the segment match at most; 0 when surely none does. */
  cost(segment: Segment): number
  /** @param within when given, only these documents (ascending) are looked at. */
  match(segment: Segment, within: Int32Array | null): Matches | Promise<Matches>
}

/** Nothing matches. */
export const NO_MATCHES: Matches = { docs: new Int32Array(0), scores: 0 }
