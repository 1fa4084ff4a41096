import { Cron } from 'croner'
import { ExpressionError } from './trigger/tokens.ts'

/** When a pipeline runs by itself. Times are epoch milliseconds, whole seconds. */
export interface CronSchedule {
  /** As written. */
  readonly text: string
  /** The first tick after a moment; nothing when there is none any more. */
  next(after: number): number | undefined
  /** The last tick at or before a moment. */
  last(until: number): number | undefined
}

const FIELDS = ['second', 'minute', 'hour', 'day of the month', 'month', 'day of the week']
const NICKNAMES = new Set([
  '@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly',
]) // prettier-ignore
const ZONE = /^(?:CRON_TZ|TZ)=(\S*)\s*/
const DEFAULT_ZONE = 'UTC'
const EXAMPLE = '"0 3 * * *" for every day at three'

/**
 * Reads a cron schedule: five fields, six with seconds in front, or a nickname such as `@daily`.
 * Times are UTC unless `CRON_TZ=Europe/Berlin ` precedes the fields.
 * @throws {ExpressionError} at the field that is wrong.
 */
export function parseSchedule(text: string): CronSchedule {
  const zone = ZONE.exec(text)
  const timezone = zone?.[1] ?? DEFAULT_ZONE
  if (!isZone(timezone))
    throw new ExpressionError(
      `There is no time zone "${timezone}"; write it as in CRON_TZ=Europe/Berlin`,
      { start: 0, end: zone?.[0].trimEnd().length ?? 0 },
    )
  const offset = zone?.[0].length ?? 0
  const pattern = text.slice(offset)
  checkFields(pattern, offset)
  const cron = toCron(pattern, timezone)
  if (typeof cron === 'string')
    throw new ExpressionError(`The schedule cannot be read: ${cron}`, {
      start: offset,
      end: text.length,
    })
  const next = (after: number) => cron.nextRun(new Date(after))?.getTime()
  if (next(Date.now()) === undefined)
    throw new ExpressionError('The schedule names a time that never comes', {
      start: offset,
      end: text.length,
    })
  return {
    text,
    next,
    // The library asks for ticks before a moment, and a tick may be that very moment.
    last: (until) => cron.previousRuns(1, new Date(until + 1))[0]?.getTime(),
  }
}

/** Names the field that is wrong rather than the whole schedule. */
function checkFields(pattern: string, offset: number) {
  if (NICKNAMES.has(pattern.trim())) return
  const fields = [...pattern.matchAll(/\S+/g)]
  const all = { start: offset, end: offset + Math.max(1, pattern.length) }
  if (pattern.startsWith('@'))
    throw new ExpressionError(
      `There is no schedule ${pattern}; there are ${[...NICKNAMES].join(', ')}`,
      all,
    )
  if (fields.length !== 5 && fields.length !== 6)
    throw new ExpressionError(
      `A schedule has five fields, or six with seconds in front, such as ${EXAMPLE}; this one has ${fields.length}`,
      all,
    )
  const names = FIELDS.slice(FIELDS.length - fields.length)
  for (const [place, field] of fields.entries()) {
    const alone = fields.map((_, at) => (at === place ? field[0] : '*')).join(' ')
    const cron = toCron(alone, DEFAULT_ZONE)
    const start = offset + field.index
    if (typeof cron === 'string')
      throw new ExpressionError(`"${field[0]}" is no ${names[place]} of a schedule: ${cron}`, {
        start,
        end: start + field[0].length,
      })
  }
}

/** The library's schedule, or why there is none. */
function toCron(pattern: string, timezone: string): Cron | string {
  try {
    return new Cron(pattern, { paused: true, timezone, mode: '5-or-6-parts' })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return why.replace(/^CronPattern: /, '').replace(/^configuration entry \d+ \((.*)\) /, '$1 ')
  }
}

function isZone(timezone: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
