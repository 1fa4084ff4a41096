import { failures, type EngineFailure } from '../../errors.ts'
import { fromLocal, toMillis, zoneOffset } from './calendar.ts'
import { dateFormats } from './formats.ts'

interface DateReading {
  /** A date without time means its last millisecond; rounding goes to the end of the unit. */
  readonly roundUp?: boolean
  /** What `now` is; the clock when left out. */
  readonly now?: number
  /** Zone of dates that name none, and of rounding: an offset or an IANA name. */
  readonly timeZone?: string
}

/** Reads a date of a document: no date math. Undefined when no alternative of the format fits. */
export function readDate(
  text: string,
  format: string,
  roundUp = false,
  timeZone = 'Z',
): number | undefined {
  for (const alternative of dateFormats(format)) {
    const parts = alternative.parse(text)
    const ms = parts && toMillis(parts, roundUp, timeZone)
    if (ms !== undefined) return ms
  }
  return undefined
}

/**
 * Reads a date of a query: a date of the format, `now`, or either followed by date math such as
 * `now-1d/d` and `2024-01-01||+1M/d`.
 * @throws {EngineFailure} parse_exception for anything else.
 */
export function parseDate(text: string, format: string, reading: DateReading = {}): number {
  const { roundUp = false, now, timeZone = 'Z' } = reading
  if (zoneOffset(timeZone, 0) === undefined)
    throw failures.illegalArgument(`Unknown time-zone ID: ${timeZone}`)
  if (text.startsWith('now')) {
    return applyMath(text.slice(3), now ?? Date.now(), { roundUp, timeZone })
  }
  const split = text.indexOf('||')
  const date = split < 0 ? text : text.slice(0, split)
  const ms = readDate(date, format, split < 0 && roundUp, timeZone)
  if (ms === undefined) {
    const why = `failed to parse date field [${date}] with format [${format}]`
    throw failures.parse(`${why}: [${why}]`, {
      causedBy: {
        type: 'illegal_argument_exception',
        reason: why,
        caused_by: {
          type: 'date_time_parse_exception',
          reason: 'Failed to parse with all enclosed parsers',
        },
      },
    })
  }
  return split < 0 ? ms : applyMath(text.slice(split + 2), ms, { roundUp, timeZone })
}

interface MathContext {
  readonly roundUp: boolean
  readonly timeZone: string
}

const STEP = /(?:([+-])(\d*)|\/)([yMwdhHms])/y

function applyMath(math: string, start: number, { roundUp, timeZone }: MathContext) {
  // The calendar works in local time: days and months of a zone are not those of UTC.
  let local = start + (zoneOffset(timeZone, start) ?? 0)
  STEP.lastIndex = 0
  while (STEP.lastIndex < math.length) {
    const at = STEP.lastIndex
    const step = STEP.exec(math)
    if (!step) throw wrongMath(math, at)
    const [, sign, count, unit = 'd'] = step
    if (sign !== undefined) {
      const amount = count === '' ? 1 : Number(count)
      local = addUnits(local, unit, sign === '-' ? -amount : amount)
    } else {
      local = floorTo(local, unit)
      if (roundUp) local = addUnits(local, unit, 1) - 1
    }
  }
  return fromLocal(local, timeZone) ?? local
}

/** What is wrong with the math from `at` on, in the words of the engine. */
function wrongMath(math: string, at: number): EngineFailure {
  const rest = math.slice(at)
  if (!/^[+/-]/.test(rest)) return failures.parse(`operator not supported for date math [${math}]`)
  const [, unit] = /^.\d*(.)/.exec(rest) ?? []
  if (unit === undefined) return failures.parse(`truncated date math [${math}]`)
  if (rest.startsWith('/') && /^\d/.test(rest.slice(1)))
    return failures.parse(`rounding \`/\` can only be used on single unit types [${math}]`)
  return failures.parse(`unit [${unit}] not supported for date math [${math}]`)
}

const FIXED: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1000,
}

function addUnits(ms: number, unit: string, amount: number) {
  const fixed = FIXED[unit]
  if (fixed !== undefined) return ms + fixed * amount
  const date = new Date(ms)
  const months = unit === 'y' ? amount * 12 : amount
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

function floorTo(ms: number, unit: string) {
  const date = new Date(ms)
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0, 1)
  if (unit === 'M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  if (unit === 'w') {
    const monday = (date.getUTCDay() + 6) % 7
    return Math.floor(ms / FIXED['d']!) * FIXED['d']! - monday * FIXED['d']!
  }
  const size = FIXED[unit]!
  return Math.floor(ms / size) * size
}
