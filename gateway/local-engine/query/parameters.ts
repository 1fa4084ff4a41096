import { unsupported } from '../errors.ts'
import {
  isObject,
  malformed,
  tokenName,
  unknownField,
  type JsonObject,
  type ParseContext,
} from './define.ts'

/** Which parameters a query takes and which it refuses by name. */
export interface ParameterNames {
  readonly name: string
  readonly parameters: readonly string[]
  readonly refused: readonly string[]
}

/** Queries whose unknown parameters the engine reports in another form. */
const OBJECT_PARSED = new Set(['bool', 'ids', 'match_all', 'match_none'])

/** Reads the parameters of one query; each reader throws an EngineFailure for a wrong type. */
export interface Parameters {
  readonly body: JsonObject
  value(name: string): unknown
  text(name: string): string | undefined
  number(name: string, otherwise: number): number
  integer(name: string, otherwise: number): number
  flag(name: string, otherwise: boolean): boolean
  /** One of a few words, whatever their case; given back in lower case. */
  word<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word
}

/**
 * Checks that a body is an object of known parameters.
 * @throws {EngineFailure} naming the first one that is not.
 */
export function readParameters(
  names: ParameterNames,
  body: unknown,
  context: ParseContext,
): Parameters {
  const { name: query } = names
  if (!isObject(body))
    throw malformed(`[${query}] query malformed, no start_object after query name`, body, context)
  for (const key of Object.keys(body)) {
    if (names.parameters.includes(key)) continue
    if (names.refused.includes(key))
      throw unsupported(`query.${query}.${key}`, `[${query}] parameter [${key}]`)
    throw OBJECT_PARSED.has(query)
      ? unknownField(`[${query}] unknown field [${key}]`, body, context)
      : malformed(`[${query}] query does not support [${key}]`, body, context)
  }
  const wrong = (name: string, wanted: string) =>
    malformed(
      `[${query}] [${name}] must be ${wanted}, but is ${tokenName(body[name])}`,
      body,
      context,
    )
  const number = (name: string, otherwise: number) => {
    const value = body[name]
    if (value === undefined) return otherwise
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof read !== 'number' || !Number.isFinite(read)) throw wrong(name, 'a number')
    return read
  }
  return {
    body,
    value: (name) => body[name],
    text(name) {
      const value = body[name]
      if (value === undefined || value === null) return undefined
      if (typeof value === 'object') throw wrong(name, 'text')
      return plainText(value)
    },
    number,
    integer: (name, otherwise) => Math.trunc(number(name, otherwise)),
    flag(name, otherwise) {
      const value = body[name]
      if (value === undefined) return otherwise
      if (value === true || value === 'true') return true
      if (value === false || value === 'false') return false
      throw wrong(name, 'true or false')
    },
    word(name, words, otherwise) {
      const value = body[name]
      if (value === undefined) return otherwise
      const found = words.find((one) => typeof value === 'string' && one === value.toLowerCase())
      if (found === undefined) throw wrong(name, `one of ${words.join(', ')}`)
      return found
    },
  }
}

/** The text of a plain value, as the engine reads it where it wants text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? '')
}

/**
 * Takes `{"field": value}` or `{"field": {…}}` apart.
 * @param shorthand the parameter a plain value stands for.
 */
export function readFieldParameters(
  names: ParameterNames,
  shorthand: string,
  body: unknown,
  context: ParseContext,
): { field: string; parameters: Parameters } {
  const { name: query } = names
  if (!isObject(body))
    throw malformed(`[${query}] query malformed, no start_object after query name`, body, context)
  const [field, second] = Object.keys(body)
  if (field === undefined)
    throw malformed(`[${query}] query malformed, empty clause found`, body, context)
  if (second !== undefined)
    throw malformed(
      `[${query}] query doesn't support multiple fields, found [${field}] and [${second}]`,
      body,
      context,
    )
  const value = body[field]
  if (Array.isArray(value))
    throw malformed(`[${query}] unknown token [START_ARRAY] after [${field}]`, body, context)
  const own = isObject(value) ? value : { [shorthand]: value }
  return { field, parameters: readParameters(names, own, context) }
}
