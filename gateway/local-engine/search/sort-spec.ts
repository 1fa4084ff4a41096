import { failures, unsupported } from '../errors.ts'
import { isObject } from '../query/define.ts'
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

const KNOWN = new Set(['order', 'missing', 'mode', 'unmapped_type', 'numeric_type'])
const REFUSED = new Set(['nested', 'format', 'nested_path', 'nested_filter'])

/**
 * Reads `sort`: names, `{field: order}`, `{field: {order, missing, …}}`, alone or in a list. By
 * score alone is the same as none.
 * @throws {EngineFailure}
 */
export function readSort(value: unknown): readonly SortSpec[] {
  if (value === undefined || value === null) return []
  const specs = (Array.isArray(value) ? value : [value]).flatMap(readOne)
  const [first, second] = specs
  return first?.field === '_score' && first.descending && !second ? [] : specs
}

function readOne(value: unknown): SortSpec[] {
  if (typeof value === 'string') return [toSpec(value, {})]
  if (!isObject(value))
    throw failures.illegalArgument(
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    )
  return Object.entries(value).map(([field, own]) =>
    toSpec(field, isObject(own) ? own : { order: own }),
  )
}

function toSpec(field: string, own: Readonly<Record<string, unknown>>): SortSpec {
  if (field === '_geo_distance' || field === '_script' || field === '_id' || field === '_shard_doc')
    throw unsupported(`search.sort.${field}`, `[sort] by [${field}]`)
  for (const key of Object.keys(own)) {
    if (REFUSED.has(key)) throw unsupported(`search.sort.${key}`, `[sort] parameter [${key}]`)
    if (!KNOWN.has(key)) throw failures.illegalArgument(`[field_sort] unknown field [${key}]`)
  }
  const order = own.order ?? (field === '_score' ? 'desc' : 'asc')
  if (order !== 'asc' && order !== 'desc')
    throw failures.illegalArgument(`Unknown SortOrder [${plainText(order)}]`)
  const descending = order === 'desc'
  const mode = own.mode ?? (descending ? 'max' : 'min')
  if (mode === 'sum' || mode === 'avg' || mode === 'median')
    throw unsupported(`search.sort.mode.${mode}`, `[sort] mode [${mode}]`)
  if (own.numeric_type !== undefined)
    throw unsupported('search.sort.numeric_type', '[sort] parameter [numeric_type]')
  if (mode !== 'min' && mode !== 'max')
    throw failures.illegalArgument(`Unknown SortMode [${plainText(mode)}]`)
  return {
    field,
    descending,
    mode,
    missing: own.missing ?? '_last',
    unmappedType: typeof own.unmapped_type === 'string' ? own.unmapped_type : undefined,
  }
}
