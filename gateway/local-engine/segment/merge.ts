import type { LiveSegment, Segment } from './segment.ts'

/** A merged segment, and where every document of the parts went: −1 for the dead. */
export interface MergedSegment {
  readonly segment: Segment
  /** One array a part: document → document in `segment`. */
  readonly newDocs: readonly Int32Array[]
}

/** Joins segments in order, leaving dead documents out. */
export function mergeSegments(parts: readonly LiveSegment[]): MergedSegment {
  throw new Error(`in work: ${parts.length}`)
}
