import type { Sealed } from './sealed.ts'

const TIERS = [5_000, 50_000, 500_000]
const MAX_PER_TIER = 10
const MAX_DEAD = 0.2

/**
 * Neighbours that are better one segment, or one with too many dead documents; undefined when all
 * is well. Only neighbours: the order of documents decides ties and must stay.
 */
export function chooseMerge(segments: readonly Sealed[]): readonly Sealed[] | undefined {
  for (const limit of TIERS) {
    let run: Sealed[] = []
    for (const one of segments) {
      if (one.segment.docCount < limit) run.push(one)
      else if (run.length > MAX_PER_TIER) break
      else run = []
    }
    if (run.length > MAX_PER_TIER) return run
  }
  const wasteful = segments.find(
    ({ segment, liveCount }) => 1 - liveCount / segment.docCount > MAX_DEAD,
  )
  return wasteful && [wasteful]
}
