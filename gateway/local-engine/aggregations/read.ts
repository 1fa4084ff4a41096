import { failures } from '../errors.ts'
import { parseDate } from '../mapping/dates/parse-date.ts'
import { plainText } from '../query/parameters.ts'
import { tokenName } from '../query/define.ts'
import type { AggregationBody } from './define.ts'

const wrong = (name: string, key: string, wanted: string, value: unknown) =>
  failures.illegalArgument(`[${name}] [${key}] must be ${wanted}, but is ${tokenName(value)}`)

/** The field an aggregation works on. */
export function readField({ name, body }: AggregationBody): string {
  if (typeof body.field === 'string') return body.field
  throw failures.illegalArgument(
    `Required one of fields [field, script], but none were specified. [${name}]`,
  )
}

/** A number, or undefined when the parameter is not there. */
export function readNumber({ name, body }: AggregationBody, key: string): number | undefined {
  const value = body[key]
  if (value === undefined) return undefined
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw wrong(name, key, 'a number', value)
  return number
}

/** A whole number that is not below `least`. */
export function readCount(
  given: AggregationBody,
  key: string,
  otherwise: number,
  least: number,
): number {
  const number = readNumber(given, key) ?? otherwise
  if (!Number.isInteger(number) || number < least)
    throw failures.illegalArgument(
      `[${key}] must be ${least > 0 ? 'greater than 0' : 'greater than or equal to 0'}. Found [${number}] in [${given.name}]`,
    )
  return number
}

/** True or false. */
export function readFlag({ name, body }: AggregationBody, key: string): boolean {
  const value = body[key]
  if (value === undefined || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw wrong(name, key, 'true or false', value)
}

/** The number `missing` stands for: a number, true or false, or a date. */
export function readMissingNumber(
  { name, body }: AggregationBody,
  now: number,
): number | undefined {
  const value = body.missing
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = Number(value)
  if (!Number.isNaN(number)) return number
  if (typeof value !== 'string') throw wrong(name, 'missing', 'a number', value)
  return parseDate(plainText(value), 'strict_date_optional_time||epoch_millis', { now })
}
