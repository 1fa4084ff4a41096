import type { Slice } from '../slice.ts'
import { NO_MATCHES, type Weight } from '../weight.ts'
import { createMarks, markedDocs } from './docs.ts'

/** The largest score of several queries, and a part of the others. */
export function createDisMaxWeight(
  parts: readonly Weight[],
  tieBreaker: number,
  slice: Slice,
): Weight {
  return {
    cost: (segment) =>
      Math.min(
        segment.docCount,
        parts.reduce((sum, part) => sum + part.cost(segment), 0),
      ),
    async match(segment, within) {
      const present = parts.filter((part) => part.cost(segment) > 0)
      if (present.length === 0) return NO_MATCHES
      if (present.length === 1) return present[0]!.match(segment, within)
      const marks = createMarks(segment.docCount)
      const best = new Float64Array(segment.docCount)
      const others = new Float64Array(segment.docCount)
      for (const part of present) {
        const { docs, scores } = await part.match(segment, within)
        for (let i = 0; i < docs.length; i++) {
          const doc = docs[i]!
          const score = typeof scores === 'number' ? scores : scores[i]!
          marks[doc] = 1
          if (score >= best[doc]!) {
            others[doc]! += best[doc]!
            best[doc] = score
          } else others[doc]! += score
        }
        if (slice.due()) await slice.handOver()
      }
      const docs = markedDocs(marks, segment.docCount)
      return {
        docs,
        scores: Float32Array.from(docs, (doc) => best[doc]! + others[doc]! * tieBreaker),
      }
    },
  }
}
