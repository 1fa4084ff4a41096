/** Upper bounds of the histogram's parts in milliseconds; one more part is open above. */
export const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000]

/** What was counted of one thing. */
export interface Counter {
  calls: number
  errors: number
  sumMs: number
  maxMs: number
  /** Calls by duration: as many parts as there are bounds, and one more. */
  parts: number[]
}

/** A counter of nothing yet. */
export const createCounter = (): Counter => ({
  calls: 0,
  errors: 0,
  sumMs: 0,
  maxMs: 0,
  parts: BOUNDS_MS.map(() => 0).concat(0),
})

/** Counts one call. */
export function count(counter: Counter, ms: number, hasFailed: boolean) {
  counter.calls++
  if (hasFailed) counter.errors++
  counter.sumMs += ms
  if (ms > counter.maxMs) counter.maxMs = ms
  let part = 0
  while (part < BOUNDS_MS.length && ms > (BOUNDS_MS[part] ?? 0)) part++
  counter.parts[part] = (counter.parts[part] ?? 0) + 1
}

/**
 * The duration that a share of the calls did not pass, from 0 to 1. Calls are taken as spread evenly
 * over their part of the histogram; the longest one is known exactly.
 */
export function percentile({ calls, maxMs, parts }: Counter, share: number): number {
  const wanted = calls * share
  let below = 0
  for (const [place, inPart] of parts.entries()) {
    if (inPart > 0 && below + inPart >= wanted) {
      const from = BOUNDS_MS[place - 1] ?? 0
      const to = Math.min(BOUNDS_MS[place] ?? maxMs, maxMs)
      return from + ((wanted - below) / inPart) * Math.max(0, to - from)
    }
    below += inPart
  }
  return maxMs
}
