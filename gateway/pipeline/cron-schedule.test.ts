import { expect, test } from 'vitest'
import { parseSchedule } from './cron-schedule.ts'
import { ExpressionError } from './trigger/tokens.ts'

const after = (text: string, from: string) => {
  const next = parseSchedule(text).next(Date.parse(from))
  return next === undefined ? undefined : new Date(next).toISOString()
}

test.each([
  ['0 3 * * *', '2026-01-01T00:00:00Z', '2026-01-01T03:00:00.000Z'],
  ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00:00.000Z'],
  ['0 3 * * *', '2026-01-01T02:59:59.999Z', '2026-01-01T03:00:00.000Z'],
  ['*/15 * * * *', '2026-01-01T00:00:01Z', '2026-01-01T00:15:00.000Z'],
  ['* * * * * *', '2026-01-01T00:00:00.999Z', '2026-01-01T00:00:01.000Z'],
  ['* * * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01.000Z'],
  ['0 9 * * MON-FRI', '2026-01-02T10:00:00Z', '2026-01-05T09:00:00.000Z'],
  ['@daily', '2026-01-01T10:00:00Z', '2026-01-02T00:00:00.000Z'],
  ['CRON_TZ=Europe/Berlin 0 3 * * *', '2026-01-01T00:00:00Z', '2026-01-01T02:00:00.000Z'],
  ['TZ=America/New_York 0 3 * * *', '2026-07-01T00:00:00Z', '2026-07-01T07:00:00.000Z'],
  // The hour that does not exist in spring is made up for at once, the one that comes twice counts once.
  ['CRON_TZ=Europe/Berlin 30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['CRON_TZ=Europe/Berlin 30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
])('%s after %s comes %s', (text, from, expected) => {
  expect(after(text, from)).toBe(expected)
})

test.each([
  ['* * * * * *', '2026-01-01T00:00:05.900Z', '2026-01-01T00:00:05.000Z'],
  ['* * * * * *', '2026-01-01T00:00:05Z', '2026-01-01T00:00:05.000Z'],
  ['0 3 * * *', '2026-01-01T02:59:59.500Z', '2025-12-31T03:00:00.000Z'],
])('the last tick of %s until %s was %s', (text, until, expected) => {
  const last = parseSchedule(text).last(Date.parse(until))
  expect(last !== undefined && new Date(last).toISOString()).toBe(expected)
})

const mistake = (text: string) => {
  try {
    parseSchedule(text)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return `${text.slice(error.start, error.end)} | ${error.message}`
  }
  return 'no mistake'
}

test.each([
  [
    '* * *',
    '* * * | A schedule has five fields, or six with seconds in front, such as "0 3 * * *" for every day at three; this one has 3',
  ],
  ['0 25 * * *', '25 | "25" is no hour of a schedule: Invalid value for hour: 25'],
  ['61 0 3 * * *', '61 | "61" is no second of a schedule: Invalid value for second: 61'],
  [
    '0 3 * * FUN',
    'FUN | "FUN" is no day of the week of a schedule: FUN contains illegal characters.',
  ],
  ['*/0 * * * *', '*/0 | "*/0" is no minute of a schedule: Syntax error, illegal stepping: 0'],
  ['0 0 31 2 *', '0 0 31 2 * | The schedule names a time that never comes'],
  [
    '@often',
    '@often | There is no schedule @often; there are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly',
  ],
  [
    'CRON_TZ=Mars/Base 0 3 * * *',
    'CRON_TZ=Mars/Base | There is no time zone "Mars/Base"; write it as in CRON_TZ=Europe/Berlin',
  ],
  [
    '2030-01-01T00:00:00',
    '2030-01-01T00:00:00 | A schedule has five fields, or six with seconds in front, such as "0 3 * * *" for every day at three; this one has 1',
  ],
])('%s: %s', (text, expected) => {
  expect(mistake(text)).toBe(expected)
})
