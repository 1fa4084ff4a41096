import type { Segment } from './segment.ts'

/** The format version `encodeSegment` writes. */
export const SEGMENT_FORMAT = 1

/** One segment as bytes, checksum included. */
export function encodeSegment(segment: Segment): Uint8Array {
  throw new Error(`in work: ${segment.docCount}`)
}

/**
 * The segment written by `encodeSegment`; its arrays are views of `bytes` where these are aligned.
 * @throws {Error} when bytes are damaged or of an unknown version: rebuild from the documents.
 */
export function decodeSegment(bytes: Uint8Array): Segment {
  throw new Error(`in work: ${bytes.length}`)
}
