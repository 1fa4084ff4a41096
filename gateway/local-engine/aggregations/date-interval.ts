import { failures } from '../errors.ts'
import type { AggregationBody } from './define.ts'

/** Spans of local time, in milliseconds since 1970. */
export interface DateInterval {
  /** The beginning of the span a time lies in. */
  readonly startOf: (local: number) => number
  /** The beginning of the span after the one that begins at `start`. */
  readonly nextOf: (start: number) => number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const FIXED_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: DAY,
}

const fixed = (size: number, origin = 0): DateInterval => ({
  startOf: (local) => Math.floor((local - origin) / size) * size + origin,
  nextOf: (start) => start + size,
})

const monthStart = (index: number) => Date.UTC(Math.floor(index / 12), index % 12)

const monthIndex = (local: number) => {
  const date = new Date(local)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const months = (count: number): DateInterval => {
  return {
    startOf: (local) => monthStart(Math.floor(monthIndex(local) / count) * count),
    nextOf: (start) => monthStart(monthIndex(start) + count),
  }
}

// Weeks begin on Monday; the first of January 1970 was a Thursday.
const CALENDAR = new Map<string, DateInterval>(
  Object.entries({
    second: fixed(SECOND),
    minute: fixed(MINUTE),
    hour: fixed(HOUR),
    day: fixed(DAY),
    week: fixed(7 * DAY, -3 * DAY),
    month: months(1),
    quarter: months(3),
    year: months(12),
  }),
)

const SHORT = new Map(
  Object.entries({
    '1s': 'second',
    '1m': 'minute',
    '1h': 'hour',
    '1d': 'day',
    '1w': 'week',
    '1M': 'month',
    '1q': 'quarter',
    '1y': 'year',
  }),
)

/**
 * Reads `calendar_interval` (`month`, `1M`, …) or `fixed_interval` (`90m`, `12h`, …).
 * @throws {EngineFailure} unless there is exactly one of them, of a known form.
 */
export function readDateInterval({ name, body }: AggregationBody): DateInterval {
  const { calendar_interval: calendar, fixed_interval: span } = body
  if ((calendar === undefined) === (span === undefined))
    throw failures.illegalArgument(
      `Invalid interval specified for [${name}]: give calendar_interval or fixed_interval`,
    )
  if (typeof calendar === 'string') {
    const interval = CALENDAR.get(SHORT.get(calendar) ?? calendar)
    if (interval) return interval
    throw failures.illegalArgument(
      `The supplied interval [${calendar}] could not be parsed as a calendar interval.`,
    )
  }
  const match = typeof span === 'string' ? /^(\d+)(ms|s|m|h|d)$/.exec(span) : null
  const size = match ? Number(match[1]) * FIXED_UNITS[match[2]!]! : 0
  if (size <= 0)
    throw failures.illegalArgument(
      `failed to parse setting [date_histogram.fixedInterval] with value [${String(span)}] as a time value`,
    )
  return fixed(size)
}
