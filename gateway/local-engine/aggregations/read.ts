import { EngineFailure, failures } from '../errors.ts'
import { parseDate } from '../mapping/dates/parse-date.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { wrongField, wrongKind } from '../query/define.ts'
import { plainText } from '../query/parameters.ts'
import { booleanOf, numberOfToken } from '../query/tokens.ts'
import type { SearchTarget } from '../search/target.ts'
import type { AggregationBody } from './define.ts'

const UNSUPPORTED = 'unsupported_feature_exception'

/**
 * Reads one parameter; undefined when it is not there. What `read` throws becomes the cause.
 * @throws {EngineFailure} x_content_parse_exception with the place of the parameter.
 */
export function readParameter<Result>(
  { type, body, positions }: AggregationBody,
  key: string,
  isKind: (value: unknown) => boolean,
  read: (value: unknown) => Result,
): Result | undefined {
  const value = body[key]
  if (value === undefined) return undefined
  const here = { parser: type, body }
  if (!isKind(value)) throw wrongKind(here, key, positions)
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.isAtShards || error.type === UNSUPPORTED)
      throw error
    throw wrongField(here, key, error, positions)
  }
}

const isText = (value: unknown) => typeof value === 'string'
/** A number or text, which may say one. */
export const isNumberOrText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
const isFlagOrText = (value: unknown) => typeof value === 'string' || typeof value === 'boolean'
/** A number, text, true or false. */
export const isPlain = (value: unknown) => isNumberOrText(value) || typeof value === 'boolean'

/** A parameter that is text. */
export const readText = <Result>(
  given: AggregationBody,
  key: string,
  read: (text: string) => Result,
) => readParameter(given, key, isText, (value) => read(plainText(value)))

/** The field an aggregation works on. */
export function readField(given: AggregationBody): string {
  const field = readText(given, 'field', (text) => text)
  if (field !== undefined) return field
  throw failures.illegalArgument(
    'Required one of fields [field, script], but none were specified. ',
  )
}

/** A number, or undefined when the parameter is not there. */
export const readNumber = (given: AggregationBody, key: string): number | undefined =>
  readParameter(given, key, isNumberOrText, numberOfToken)

/** Parameters the engine reads as 64-bit numbers, which it refuses by another type. */
const LONG = new Set(['min_doc_count', 'precision_threshold'])

/** A whole number that is not below `least`; what is behind its point is left out. */
export function readCount(
  given: AggregationBody,
  key: string,
  otherwise: number,
  least: number,
): number {
  const number = readParameter(given, key, isNumberOrText, (value) => {
    const count = Math.trunc(readWhole(value, LONG.has(key)))
    if (count >= least) return count
    throw failures.illegalArgument(
      `[${inCamelCase(key)}] must be greater than ${least > 0 ? '' : 'or equal to '}0. Found [${count}] in [${given.name}]`,
    )
  })
  return number ?? otherwise
}

function readWhole(value: unknown, isLong: boolean) {
  try {
    return numberOfToken(value)
  } catch (error) {
    if (!isLong || !(error instanceof EngineFailure)) throw error
    throw failures.illegalArgument(error.reason)
  }
}

const inCamelCase = (key: string) =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** True or false. */
export const readFlag = (given: AggregationBody, key: string): boolean =>
  readParameter(given, key, isFlagOrText, booleanOf) ?? false

/** What stands in for a missing number, by the field of the index at hand. */
export type MissingNumber = (
  target: SearchTarget,
  mapping: FieldMapping | undefined,
) => number | undefined

/** Reads `missing`: a number, true or false, or a date. */
export function readMissingNumber(given: AggregationBody, now: number): MissingNumber {
  const value = readParameter(given, 'missing', isPlain, (one) => one)
  return (target, mapping) => {
    // Without an index nothing is known of the field.
    if (value === undefined || target.index === '') return undefined
    if (typeof value === 'boolean') return Number(value)
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
    if (!Number.isNaN(number)) return number
    if (mapping?.type === 'date') return parseDate(plainText(value), mapping.format, { now })
    return numberOfToken(value)
  }
}
