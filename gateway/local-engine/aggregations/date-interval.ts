import { EngineFailure, failures } from '../errors.ts'
import type { AggregationBody } from './define.ts'
import { readText } from './read.ts'

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
export function readDateInterval(given: AggregationBody): DateInterval {
  const isBoth =
    given.body.calendar_interval !== undefined && given.body.fixed_interval !== undefined
  const calendar = readText(given, 'calendar_interval', (text) => {
    const interval = CALENDAR.get(SHORT.get(text) ?? text)
    if (interval) return interval
    throw failures.illegalArgument(
      `The supplied interval [${text}] could not be parsed as a calendar interval.`,
    )
  })
  const size = readText(given, 'fixed_interval', (text) => {
    if (isBoth)
      throw failures.illegalArgument(
        'Cannot use [fixed_interval] with [calendar_interval] configuration option.',
      )
    return readSpan(text)
  })
  if (calendar) return calendar
  if (size === undefined)
    throw atShards('Invalid interval specified, must be non-null and non-empty')
  if (size <= 0) throw atShards('Zero or negative time interval not supported')
  return fixed(size)
}

/** The engine finds this out only on a shard. */
const atShards = (reason: string) =>
  new EngineFailure(400, 'illegal_argument_exception', reason, { isAtShards: true })

/** Milliseconds of a span such as `90m`; units in any case, but `M` is no minute. */
function readSpan(text: string): number {
  const match = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text === '' ? '' : withLowerUnit(text))
  if (!match)
    throw failures.illegalArgument(
      `failed to parse setting [date_histogram.fixedInterval] with value [${text}] as a time value: unit is missing or unrecognized`,
    )
  const [, number = '', unit = ''] = match
  if (number.includes('.'))
    throw failures.illegalArgument(
      `failed to parse [${text}], fractional time values are not supported`,
      {
        causedBy: { type: 'number_format_exception', reason: `For input string: "${number}"` },
      },
    )
  return Number(number) * FIXED_UNITS[unit]!
}

const withLowerUnit = (text: string) =>
  text.endsWith('M') ? text : text.replace(/[A-Za-z]+$/, (unit) => unit.toLowerCase())
