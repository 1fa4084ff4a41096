import { expect, test } from 'vitest'
import { formatDate } from './format-date.ts'
import { parseDate, readDate } from './parse-date.ts'

const DEFAULT = 'strict_date_optional_time||epoch_millis'
const now = Date.UTC(2024, 1, 29, 13, 45, 7, 123)
const iso = (ms: number) => new Date(ms).toISOString()

test.each([
  ['2024', DEFAULT, '2024-01-01T00:00:00.000Z'],
  ['2024-03', DEFAULT, '2024-03-01T00:00:00.000Z'],
  ['2024-03-05', DEFAULT, '2024-03-05T00:00:00.000Z'],
  ['2024-03-05T10', DEFAULT, '2024-03-05T10:00:00.000Z'],
  ['2024-03-05T10:11:12.345678Z', DEFAULT, '2024-03-05T10:11:12.345Z'],
  ['2024-03-05T10:11:12+02:00', DEFAULT, '2024-03-05T08:11:12.000Z'],
  ['1709251200000', DEFAULT, '2024-03-01T00:00:00.000Z'],
  ['1709251200', 'epoch_second', '2024-03-01T00:00:00.000Z'],
  ['0044-03-15', 'yyyy-MM-dd', '0044-03-15T00:00:00.000Z'],
  ['2024/03/05', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis', '2024-03-05T00:00:00.000Z'],
  ['2024/03/05 10:11:12', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd', '2024-03-05T10:11:12.000Z'],
  ['5 Mar 2024, 03:04 PM', "d MMM yyyy', 'hh:mm a", '2024-03-05T15:04:00.000Z'],
  ['2024-3-5', 'date', '2024-03-05T00:00:00.000Z'],
  ['20240305', 'basic_date', '2024-03-05T00:00:00.000Z'],
  ['2020-W01-3', 'week_date', '2020-01-01T00:00:00.000Z'],
  ['2020-W1-3', 'week_date', '2020-01-01T00:00:00.000Z'],
  ['2020W537', 'basic_week_date', '2021-01-03T00:00:00.000Z'],
  ['2024-03-05T10', 'iso8601', '2024-03-05T10:00:00.000Z'],
])('reads %s as %s', (text, format, expected) => {
  expect(iso(readDate(text, format) ?? Number.NaN)).toBe(expected)
})

test.each(['2024-02-30', '2024-13-01', '24-01-01', 'soon', '', '2024-01-01 10:00'])(
  'does not take %j for a date',
  (text) => {
    expect(readDate(text, DEFAULT)).toBeUndefined()
  },
)

test.each([
  ['2020-W1-3', 'strict_week_date'],
  ['2021-W53-1', 'week_date'],
  ['2020-W54-1', 'week_date'],
  ['2020-W01-8', 'week_date'],
])('does not take %j for a date by weeks', (text, format) => {
  expect(readDate(text, format)).toBeUndefined()
})

test.each(['2020-W53-7', '2021-W01-1', '1969-W01-1', '2024-W09-4'])('writes %s again', (text) => {
  expect(formatDate(readDate(text, 'week_date') ?? Number.NaN, 'week_date')).toBe(text)
})

test.each([
  ['now', false, '2024-02-29T13:45:07.123Z'],
  ['now/d', false, '2024-02-29T00:00:00.000Z'],
  ['now/d', true, '2024-02-29T23:59:59.999Z'],
  ['now-1y', false, '2023-02-28T13:45:07.123Z'],
  ['now-1M/M', true, '2024-01-31T23:59:59.999Z'],
  ['now+2h/h', false, '2024-02-29T15:00:00.000Z'],
  ['now/w', false, '2024-02-26T00:00:00.000Z'],
  ['2024-01-31||+1M/d', false, '2024-02-29T00:00:00.000Z'],
  ['2024-01-31', true, '2024-01-31T23:59:59.999Z'],
])('date math: %s, rounding up %s', (text, roundUp, expected) => {
  expect(iso(parseDate(text, DEFAULT, { roundUp, now }))).toBe(expected)
})

test('days are those of the time zone', () => {
  const midnight = parseDate('2024-07-01', DEFAULT, { timeZone: 'Europe/Berlin' })
  expect(iso(midnight)).toBe('2024-06-30T22:00:00.000Z')
  expect(iso(parseDate('now/d', DEFAULT, { now, timeZone: '-05:00' }))).toBe(
    '2024-02-29T05:00:00.000Z',
  )
})

test('names the date and the format it does not fit', () => {
  expect(() => parseDate('abc', DEFAULT)).toThrow(
    'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]',
  )
  expect(() => parseDate('now-1q', DEFAULT)).toThrow('unit [q] not supported for date math [-1q]')
})

test('writes in the first alternative', () => {
  expect(formatDate(now, DEFAULT)).toBe('2024-02-29T13:45:07.123Z')
  expect(formatDate(now, 'yyyy/MM/dd||epoch_millis')).toBe('2024/02/29')
  const far = Date.UTC(10620, 5, 15)
  expect(formatDate(far, 'yyyy-MM-dd')).toBe('+10620-06-15')
  expect(formatDate(far, DEFAULT)).toBe('+10620-06-15T00:00:00.000Z')
  expect(formatDate(far, 'y')).toBe('10620')
  expect(formatDate(now, 'epoch_millis')).toBe(String(now))
  expect(formatDate(now, 'strict_date_time', '+01:00')).toBe('2024-02-29T14:45:07.123+01:00')
})
