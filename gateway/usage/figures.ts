import type { UsageFigures } from '../contract/gateway-api/usage.ts'
import { BOUNDS_MS, percentile } from './counter.ts'
import type { UsageGroup } from './usage-store.ts'

/** Counted sums as answers show them. Of a group that was never used all figures are 0. */
export function toFigures(group: UsageGroup): UsageFigures {
  const { calls, errors, sumMs, maxMs, lastUsed } = group
  return {
    calls,
    errors,
    error_rate: calls === 0 ? 0 : round(errors / calls),
    average_time: calls === 0 ? 0 : round(sumMs / calls),
    p50_time: round(percentile(group, 0.5)),
    p95_time: round(percentile(group, 0.95)),
    p99_time: round(percentile(group, 0.99)),
    max_time: round(maxMs),
    last_used: lastUsed === 0 ? null : new Date(lastUsed).toISOString(),
  }
}

/** How many calls took how long. */
export const toHistogram = ({ parts }: UsageGroup) =>
  parts.map((calls, place) => ({ up_to: BOUNDS_MS[place] ?? null, calls }))

const round = (value: number) => Math.round(value * 10_000) / 10_000
