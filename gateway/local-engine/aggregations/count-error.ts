import type { Bucket } from './buckets.ts'
import type { firstOrder } from './order.ts'

/** What the bound of an error depends on. */
interface Sending {
  /** What each bucket counted before each index was entered. */
  readonly marks: readonly ReadonlyMap<Bucket, number>[]
  /** How many buckets an index sends. */
  readonly shardSize: number
  readonly first: ReturnType<typeof firstOrder>
  readonly minDocCount: number
}

/**
 * By how much a count may be too small, since each index keeps back the buckets after its first
 * ones: the smallest counts that were sent, added up. −1 when nobody can tell.
 */
export function countError(wanted: readonly Bucket[], sending: Sending): number {
  const { marks, shardSize, first, minDocCount } = sending
  if (first === 'key' || wanted.length < shardSize) return 0
  const isAlone = marks.length < 2
  // The engine adds nothing up when there is only one index.
  if (isAlone && first === 'count') return 0
  let sum = 0
  for (const [i, before] of marks.entries()) {
    const after = marks[i + 1]
    const counts = wanted
      .map(
        (bucket) => (after ? (after.get(bucket) ?? 0) : bucket.count) - (before.get(bucket) ?? 0),
      )
      .filter((count) => count > 0 || minDocCount === 0)
    if (counts.length < shardSize) continue
    // Buckets that were not sent might have come before these.
    if (first === 'other') return -1
    sum += counts.toSorted((a, b) => b - a)[shardSize - 1] ?? 0
  }
  return sum
}
