/** What a text says of a moment; what is missing is filled in by `toMillis`. */
export interface DateParts {
  readonly year?: number
  /** 1 to 12. */
  readonly month?: number
  readonly day?: number
  readonly dayOfYear?: number
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
  readonly milli?: number
  /** Zone as written: an offset such as `+01:00`, `Z`, or a name. */
  readonly zone?: string
  /** The moment itself, for the epoch formats. */
  readonly epochMs?: number
}

const OFFSET = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?$/
const zoneFormats = new Map<string, Intl.DateTimeFormat | null>()

function zoneFormat(zone: string) {
  const known = zoneFormats.get(zone)
  if (known !== undefined) return known
  let format: Intl.DateTimeFormat | null
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    format = null // not a zone: the caller refuses it with the name the user gave
  }
  zoneFormats.set(zone, format)
  return format
}

/** Milliseconds a zone is ahead of UTC at a moment; undefined for a zone nobody knows. */
export function zoneOffset(zone: string, atMs: number): number | undefined {
  if (zone === 'Z' || zone === 'UTC' || zone === 'GMT') return 0
  const fixed = OFFSET.exec(zone)
  if (fixed) {
    const [, sign, hours, minutes = 0, seconds = 0] = fixed
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -ms : ms
  }
  const format = zoneFormat(zone)
  if (!format) return undefined
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return utc(year, month, day, [hour, minute, second]) - Math.floor(atMs / 1000) * 1000
}

/** A local time of a zone as a moment; in a gap or overlap of clocks the earlier offset holds. */
export function fromLocal(localMs: number, zone: string): number | undefined {
  const first = zoneOffset(zone, localMs)
  if (first === undefined) return undefined
  const second = zoneOffset(zone, localMs - first) ?? first
  return localMs - second
}

function utc(year: number, month: number, day: number, time: readonly number[] = []) {
  const [hour = 0, minute = 0, second = 0, ms = 0] = time
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second, ms))
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}

const daysInMonth = (year: number, month: number) => new Date(utc(year, month + 1, 0)).getUTCDate()

/**
 * The moment of the parts in milliseconds since 1970; undefined for one that does not exist.
 * A missing time is the first moment of the day, or its last when rounding up.
 */
export function toMillis(parts: DateParts, roundUp = false, zone = 'Z'): number | undefined {
  if (parts.epochMs !== undefined) return parts.epochMs
  const { year = 1970, month = 1, day = 1 } = parts
  const hour = parts.hour ?? (roundUp ? 23 : 0)
  const minute = parts.minute ?? (roundUp ? 59 : 0)
  const second = parts.second ?? (roundUp ? 59 : 0)
  const milli = parts.milli ?? (roundUp ? 999 : 0)
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59)
    return undefined
  if (parts.dayOfYear === undefined && day > daysInMonth(year, month)) return undefined
  const time = [hour, minute, second, milli]
  const local =
    parts.dayOfYear === undefined
      ? utc(year, month, day, time)
      : utc(year, 1, parts.dayOfYear, time)
  const ms = fromLocal(local, parts.zone ?? zone)
  return ms === undefined || Number.isNaN(ms) ? undefined : ms
}
