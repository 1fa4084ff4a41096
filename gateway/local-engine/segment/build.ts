import type { SegmentBuilder } from './segment.ts'

/** An empty buffer of documents; throw it away after `seal()`. */
export function createSegmentBuilder(): SegmentBuilder {
  throw new Error('in work')
}
