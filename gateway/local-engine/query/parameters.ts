import {
  EngineFailure,
  failures,
  parsingFailure,
  toCause,
  unsupported,
  type BodyPosition,
} from '../errors.ts'
import {
  isObject,
  malformed,
  tokenName,
  unknownField,
  wrongField,
  wrongKind,
  type JsonObject,
  type ParseContext,
} from './define.ts'
import { booleanOf, numberOfToken } from './tokens.ts'

/** Which parameters a query takes and which it refuses by name. */
export interface ParameterNames {
  readonly name: string
  readonly parameters: readonly string[]
  readonly refused: readonly string[]
}

/** Queries the engine reads field by field: it reports their mistakes in another form. */
const FIELD_BY_FIELD = new Set(['bool', 'ids', 'match_all'])

/** Two of them it wraps once more. */
const WRAPPED = new Set(['ids', 'match_all'])

/** Queries that take null for a text as none. */
const NULL_IS_NONE = new Set(['prefix', 'wildcard', 'regexp', 'fuzzy', 'bool', 'range'])

/** Reads the parameters of one query; each reader throws an EngineFailure for a wrong type. */
export interface Parameters {
  /** Of the query. */
  readonly name: string
  readonly body: JsonObject
  value(name: string): unknown
  text(name: string): string | undefined
  number(name: string, otherwise: number): number
  integer(name: string, otherwise: number): number
  flag(name: string, otherwise: boolean): boolean
  /** One of a few words, whatever their case; given back in lower case. */
  word<Word extends string>(
    name: string,
    words: readonly [Word, ...Word[]],
    wrong: (given: string) => EngineFailure,
  ): Word
  /** @throws {EngineFailure} always: the value of `name` is of a kind the query never takes. */
  unexpected(name: string): never
  /** Reads a part of the query; what fails in there is reported as this query reports it. */
  within<Result>(name: string, read: () => Result): Result
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
  const isByField = FIELD_BY_FIELD.has(query)
  const here = { parser: query, body }
  const wrapped = (name: string, failure: EngineFailure) =>
    WRAPPED.has(query)
      ? wrap(failure, failure.at ?? context.positionOf?.(body, { value: name }))
      : failure
  for (const key of Object.keys(body)) {
    if (names.parameters.includes(key)) continue
    if (names.refused.includes(key))
      throw unsupported(`query.${query}.${key}`, `[${query}] parameter [${key}]`)
    const known = [...names.parameters, ...names.refused]
    throw isByField
      ? wrapped(key, unknownField(here, key, known, context))
      : malformed(`[${query}] query does not support [${key}]`, body, context, { value: key })
  }
  const unexpected = (name: string) =>
    isByField
      ? wrapped(name, wrongKind(here, name, context))
      : malformed(
          `[${query}] unknown token [${tokenName(body[name])}] after [${name}]`,
          body,
          context,
          {
            value: name,
          },
        )
  /** A failure without a place of its own gets the place of the parameter. */
  const placed = ({ status, type, reason, extra, causedBy, at }: EngineFailure, name: string) =>
    new EngineFailure(status, type, reason, {
      extra,
      ...(causedBy && { causedBy }),
      at: at ?? context.positionOf?.(body, { value: name }),
    })
  const within = <Result>(name: string, read: () => Result): Result => {
    try {
      return read()
    } catch (error) {
      // What has no place is no mistake of the body but does not suit an index.
      if (!isByField || !(error instanceof EngineFailure) || !error.at) throw error
      throw wrapped(name, wrongField(here, name, error, context))
    }
  }
  /** Reads a plain value; nothing else has one. */
  const plain = <Result>(name: string, read: (value: unknown) => Result) => {
    const value = body[name]
    if (value === null || typeof value === 'object') throw unexpected(name)
    return within(name, () => {
      try {
        return read(value)
      } catch (error) {
        throw error instanceof EngineFailure ? placed(error, name) : error
      }
    })
  }
  const number = (name: string, otherwise: number) =>
    body[name] === undefined
      ? otherwise
      : plain(name, (value) => {
          const read = numberOfToken(value)
          if (name === 'boost' && read < 0)
            throw failures.illegalArgument(
              `negative [boost] are not allowed in [${query}], use a value between 0 and 1 to deboost`,
            )
          return read
        })
  return {
    name: query,
    body,
    value: (name) => body[name],
    text(name) {
      const value = body[name]
      if (value === undefined || (value === null && NULL_IS_NONE.has(query))) return undefined
      return plain(name, plainText)
    },
    number,
    integer: (name, otherwise) => Math.trunc(number(name, otherwise)),
    flag: (name, otherwise) => (body[name] === undefined ? otherwise : plain(name, booleanOf)),
    word(name, words, wrong) {
      if (body[name] === undefined) return words[0]
      return plain(name, (value) => {
        const given = plainText(value)
        const found = words.find((one) => one === given.toLowerCase())
        if (found === undefined) throw wrong(given)
        return found
      })
    },
    unexpected(name) {
      throw unexpected(name)
    },
    within,
  }
}

/** The failure once more around itself, with its place beside the sentence. */
const wrap = (failure: EngineFailure, at: BodyPosition | undefined) =>
  at ? parsingFailure(failure.reason, at, toCause(failure)) : failure

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
  if (field === undefined) throw withoutField(query, body, context)
  if (second !== undefined)
    throw malformed(
      `[${query}] query doesn't support multiple fields, found [${field}] and [${second}]`,
      body,
      context,
      { value: second },
    )
  const value = body[field]
  if (Array.isArray(value) && query === 'range')
    throw failures.illegalArgument('field name is null or empty')
  if (Array.isArray(value))
    throw malformed(
      query === 'term'
        ? '[term] query does not support array of values'
        : `[${query}] unknown token [START_ARRAY] after [${field}]`,
      body,
      context,
      { value: field },
    )
  const own = isObject(value) ? value : value === null ? {} : { [shorthand]: value }
  return { field, parameters: readParameters(names, own, context) }
}

function withoutField(query: string, body: JsonObject, context: ParseContext) {
  if (query === 'match') return malformed('No text specified for text query', body, context, 'end')
  if (query.startsWith('match_')) return failures.illegalArgument(`[${query}] requires fieldName`)
  return failures.illegalArgument(
    `field name ${query === 'fuzzy' ? 'cannot be' : 'is'} null or empty`,
  )
}
