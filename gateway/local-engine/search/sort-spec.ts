import { EngineFailure, failures, unsupported, xContentParseFailure } from '../errors.ts'
import {
  isObject,
  unknownField,
  wrongField,
  wrongKind,
  type JsonObject,
  type Positions,
} from '../query/define.ts'
import { plainText } from '../query/parameters.ts'

/** One field to sort by. */
export interface SortSpec {
  /** A path, `_score` or `_doc`. */
  readonly field: string
  readonly descending: boolean
  /** `_first`, `_last`, or the value that stands in. */
  readonly missing: unknown
  readonly mode: 'min' | 'max'
  readonly unmappedType: string | undefined
}

const KNOWN = ['order', 'missing', 'mode', 'unmapped_type', 'numeric_type']
const KNOWN_OF_SCORE = ['order']
const REFUSED = ['nested', 'format', 'nested_path', 'nested_filter']

/**
 * Reads `sort`: names, `{field: order}`, `{field: {order, missing, …}}`, alone or in a list. By
 * score alone is the same as none.
 * @throws {EngineFailure}
 */
export function readSort({ sort }: JsonObject, context: Positions): readonly SortSpec[] {
  if (sort === undefined) return []
  const specs = Array.isArray(sort)
    ? sort.flatMap((one: unknown) => readOne(one, context))
    : isObject(sort)
      ? readOne(sort, context)
      : [toSpec(plainText(sort), {}, context)]
  const [first, second] = specs
  return first?.field === '_score' && first.descending && !second ? [] : specs
}

function readOne(value: unknown, context: Positions): SortSpec[] {
  if (typeof value === 'string') return [toSpec(value, {}, context)]
  if (!isObject(value))
    throw failures.illegalArgument(
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    )
  return Object.entries(value).map(([field, own]) => {
    if (isObject(own)) return toSpec(field, own, context)
    const at = own === null ? context.positionOf?.(value, 'end') : undefined
    if (at) throw xContentParseFailure(NO_OBJECT, at)
    return toSpec(field, { order: orderOf(plainText(own)) }, context)
  })
}

const NO_OBJECT = '[field_sort] Expected START_OBJECT but was: END_OBJECT'

function orderOf(text: string): 'asc' | 'desc' {
  const order = text.toLowerCase()
  if (order === 'asc' || order === 'desc') return order
  throw failures.illegalArgument(
    `No enum constant org.opensearch.search.sort.SortOrder.${text.toUpperCase()}`,
  )
}

function modeOf(text: string): 'min' | 'max' {
  const mode = text.toLowerCase()
  if (mode === 'min' || mode === 'max') return mode
  if (mode === 'sum' || mode === 'avg' || mode === 'median')
    throw unsupported(`search.sort.mode.${mode}`, `[sort] mode [${mode}]`)
  throw failures.illegalArgument(`Unknown SortMode [${text}]`)
}

function toSpec(field: string, own: JsonObject, context: Positions): SortSpec {
  if (field === '_geo_distance' || field === '_script' || field === '_id' || field === '_shard_doc')
    throw unsupported(`search.sort.${field}`, `[sort] by [${field}]`)
  const here = { parser: field === '_score' ? '_score' : 'field_sort', body: own }
  const known = field === '_score' ? KNOWN_OF_SCORE : KNOWN
  for (const key of Object.keys(own)) {
    if (REFUSED.includes(key)) throw unsupported(`search.sort.${key}`, `[sort] parameter [${key}]`)
    if (!known.includes(key)) throw unknownField(here, key, [...known, ...REFUSED], context)
  }
  const word = <Word>(name: string, otherwise: Word, read: (text: string) => Word): Word => {
    const value = own[name]
    if (value === undefined) return otherwise
    if (typeof value !== 'string') throw wrongKind(here, name, context)
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.type !== 'illegal_argument_exception')
        throw error
      throw wrongField(here, name, error, context)
    }
  }
  const descending = word('order', field === '_score' ? 'desc' : 'asc', orderOf) === 'desc'
  const mode = word('mode', descending ? 'max' : 'min', modeOf)
  if (own.numeric_type !== undefined)
    throw unsupported('search.sort.numeric_type', '[sort] parameter [numeric_type]')
  return {
    field,
    descending,
    mode,
    missing: own.missing ?? '_last',
    unmappedType: typeof own.unmapped_type === 'string' ? own.unmapped_type : undefined,
  }
}
