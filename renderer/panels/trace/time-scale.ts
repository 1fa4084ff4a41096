import type { Span, Trace } from '../../../gateway/contract/trace.ts'

/** The period a waterfall shows, in epoch milliseconds. */
export interface TimeBounds {
  start: number
  end: number
}

/** A mark on the time axis: its distance from the start in milliseconds, and how to write it. */
export interface Tick {
  offsetMs: number
  label: string
}

const NEVER_RAN = new Set<Span['status']>(['disabled', 'notReached'])

/** False for stages that have no place in time. */
export const hasRun = ({ status }: Span) => !NEVER_RAN.has(status)

/** From the run's start to its last end; while it goes on, to `now`. Never empty. */
export function boundsOf(trace: Trace, now: number): TimeBounds {
  const start = trace.startTime
  const isRunning = trace.status === 'running'
  let end = Math.max(trace.endTime ?? start, isRunning ? now : start)
  for (const span of trace.spans)
    if (hasRun(span)) end = Math.max(end, span.endTime ?? (isRunning ? now : span.startTime))
  return { start, end: Math.max(end, start + 0.1) }
}

/** Where a moment lies between the bounds, 0 to 1. */
export const shareOf = ({ start, end }: TimeBounds, time: number) =>
  Math.min(1, Math.max(0, (time - start) / (end - start)))

/** At most `most` ticks at round distances (1, 2 or 5 times a power of ten), the start included. */
export function ticksOf(totalMs: number, most: number): Tick[] {
  const least = totalMs / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
  const inSeconds = step >= 1000
  const unit = inSeconds ? 1000 : 1
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9))
  const ticks: Tick[] = []
  for (let at = 0; at * step <= totalMs && ticks.length <= most; at++) {
    const offsetMs = at * step
    const label = at === 0 ? '0' : `${(offsetMs / unit).toFixed(digits)} ${inSeconds ? 's' : 'ms'}`
    ticks.push({ offsetMs, label })
  }
  return ticks
}
