import { EngineFailure, queryShardFailure, toCause } from '../errors.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { parseDate } from '../mapping/dates/parse-date.ts'
import type { ParseContext } from './define.ts'
import { constant, NONE, type Bounds, type QueryNode } from './node.ts'
import { plainText } from './parameters.ts'

/** A query that does not fit its field. */
export const failedToCreate = (reason: string, type = 'illegal_argument_exception') =>
  queryShardFailure(`failed to create query: ${reason}`, { type, reason })

/** Reads a value outside of a query: what is wrong with it is not wrapped as there. */
export function withReason<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.type !== 'query_shard_exception') throw error
    const { type, reason } = error.causedBy ?? error
    throw new EngineFailure(400, type, reason)
  }
}

/** Types whose values are numbers in the index, dates included. */
export const isNumeric = (mapping: FieldMapping) =>
  mapping.type !== 'text' && mapping.type !== 'keyword' && mapping.type !== 'boolean'

const WHOLE = new Set<FieldMapping['type']>(['long', 'integer', 'short', 'byte'])

/** Whether a field holds whole numbers, dates not included. */
export const isWhole = (mapping: FieldMapping) => WHOLE.has(mapping.type)

/** The query for one exact value of a field, as `term` asks for it. */
export function exactNode(
  mapping: FieldMapping,
  value: unknown,
  context: Pick<ParseContext, 'profile' | 'now'>,
): QueryNode {
  const { path, type } = mapping
  if (type === 'text') return { kind: 'term', field: path, term: plainText(value) }
  if (type === 'boolean') return { kind: 'term', field: path, term: booleanTerm(value) }
  if (type === 'keyword') {
    const term: QueryNode = { kind: 'term', field: path, term: plainText(value) }
    return context.profile.keywordScoring === 'constant' ? constant(term) : term
  }
  if (type === 'date') {
    const text = plainText(value)
    return {
      kind: 'numericRange',
      field: path,
      low: exactDate(text, mapping.format, { now: context.now }),
      high: exactDate(text, mapping.format, { now: context.now, roundUp: true }),
      includeLow: true,
      includeHigh: true,
    }
  }
  const number = numberOf(mapping, value)
  if (isWhole(mapping) && typeof number === 'number' && !Number.isInteger(number)) return NONE
  return {
    kind: 'numericRange',
    field: path,
    low: number,
    high: number,
    includeLow: true,
    includeHigh: true,
  }
}

const exactDate: typeof parseDate = (...given) => {
  try {
    return parseDate(...given)
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.type !== 'parse_exception') throw error
    throw queryShardFailure(`failed to create query: ${error.reason}`, toCause(error))
  }
}

/** The term of a boolean field. */
export function booleanTerm(value: unknown): 'T' | 'F' {
  if (value === true || value === 'true') return 'T'
  if (value === false || value === 'false' || value === '') return 'F'
  throw failedToCreate(
    `Can't parse boolean value [${plainText(value)}], expected [true] or [false]`,
  )
}

const limits = (name: string, bits: number) => ({
  name,
  least: -(2 ** (bits - 1)),
  most: 2 ** (bits - 1) - 1,
})

/** What whole numbers a field can hold that are all safe in a double. */
const LIMITS: Partial<Record<FieldMapping['type'], ReturnType<typeof limits>>> = {
  integer: limits('an integer', 32),
  short: limits('a short', 16),
  byte: limits('a byte', 8),
}

/**
 * A number in the form a field holds it: rounded to the width of float fields, exact beyond 2^53.
 * @throws {EngineFailure} when it is none.
 */
export function numberOf(mapping: FieldMapping, value: unknown): number | bigint {
  const text = plainText(value).trim()
  const number = text === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number))
    throw failedToCreate(
      text === '' ? 'empty String' : `For input string: "${plainText(value)}"`,
      'number_format_exception',
    )
  const limits = LIMITS[mapping.type]
  if (limits && (number < limits.least || number > limits.most))
    throw failedToCreate(`Value [${plainText(value)}] is out of range for ${limits.name}`)
  if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number)) return BigInt(text)
  if (mapping.type === 'float') return Math.fround(number)
  return mapping.type === 'half_float' ? Math.f16round(number) : number
}

/** Bounds as a `range` query gives them, in the form a field holds its values. */
export function numericBounds(
  mapping: FieldMapping,
  { low, high, includeLow, includeHigh }: Bounds<unknown>,
): Bounds<number | bigint> {
  return {
    low: low === undefined ? undefined : numberOf(mapping, low),
    high: high === undefined ? undefined : numberOf(mapping, high),
    includeLow,
    includeHigh,
  }
}
