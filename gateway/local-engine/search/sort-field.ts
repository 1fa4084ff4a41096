import { EngineFailure, failures, toCause } from '../errors.ts'
import { float32, float64 } from '../json/values.ts'
import { parseDate } from '../mapping/dates/parse-date.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { getFieldType, UNSUPPORTED_TYPES } from '../mapping/fields/index.ts'
import { plainText } from '../query/parameters.ts'
import { isNumeric, isWhole, numberOf, withReason } from '../query/values.ts'
import { encodeTerm, findTerm, lowerBound, termText } from '../segment/dictionary.ts'
import type { KeywordColumn, NumericColumn, Segment } from '../segment/segment.ts'
import type { SortSpec } from './sort-spec.ts'
import type { SearchTarget } from './target.ts'

/** A sort value as it compares across segments and indices; null: the document has none. */
export type SortValue = number | bigint | string | null

/** What a document's place in one segment is compared by; ordinals stand for terms. */
export type SortKey = number | bigint

/** One sort field on one index. */
export interface SortField {
  /** Keys compare within the segment; `docBase` is the number of documents before it. */
  keys(segment: Segment, docBase: number): (doc: number, score: number) => SortKey
  /** The key a value of `search_after` has in the segment. */
  keyOf(segment: Segment, value: unknown): SortKey
  /** The value behind a key. */
  valueOf(segment: Segment, key: SortKey): SortValue
  /** The value as the hit shows it. */
  show(value: SortValue): unknown
}

/**
 * Prepares a sort field.
 * @throws {EngineFailure} for a field that is not mapped, or is text.
 */
export function createSortField(spec: SortSpec, target: SearchTarget, now: number): SortField {
  if (spec.field === '_score') return byScore
  if (spec.field === '_doc') return byDoc
  const mapping = target.fields.field(spec.field)
  if (!mapping) {
    if (spec.unmappedType === undefined)
      throw new EngineFailure(
        400,
        'query_shard_exception',
        `No mapping found for [${spec.field}] in order to sort on`,
      )
    if (!getFieldType(spec.unmappedType) && !UNSUPPORTED_TYPES.has(spec.unmappedType))
      throw failures.illegalArgument(`No mapper found for type [${spec.unmappedType}]`)
    return spec.unmappedType === 'keyword' ? byKeyword(spec) : byNumber(spec, undefined, now)
  }
  if (mapping.type === 'text') throw textField(spec.field)
  if (!mapping.docValues)
    throw failures.illegalArgument(
      `Can't load fielddata on [${spec.field}] because fielddata is unsupported on fields of type [${mapping.type}]. Use doc values instead.`,
    )
  if (mapping.type === 'boolean') return byBoolean(spec)
  return isNumeric(mapping) ? byNumber(spec, mapping, now) : byKeyword(spec)
}

/** Sorting or aggregating by text, which has no values by document. */
export const textField = (path: string) =>
  failures.illegalArgument(
    `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
  )

const number = (value: unknown): number => {
  const read = Number(value)
  if (Number.isNaN(read))
    throw failures.illegalArgument(`Failed to parse search_after value [${plainText(value)}]`)
  return read
}

const byScore: SortField = {
  keys: () => (_doc, score) => score,
  keyOf: (_segment, value) => Math.fround(number(value)),
  valueOf: (_segment, key) => key,
  show: (value) => float32(Number(value)),
}

const byDoc: SortField = {
  keys: (_segment, docBase) => (doc) => docBase + doc,
  keyOf: (_segment, value) => number(value),
  valueOf: (_segment, key) => key,
  show: (value) => value,
}

/** Where documents without a value go, as a key beyond all others. */
const missingKey = ({ missing, descending }: SortSpec) =>
  (missing === '_first') === descending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY

const isPlace = (missing: unknown) => missing === '_first' || missing === '_last'

/** A term that is not in the segment stands between two ordinals. */
const termKey = (column: KeywordColumn, term: string): number => {
  const bytes = encodeTerm(term)
  const ordinal = findTerm(column.terms, bytes)
  return ordinal < 0 ? lowerBound(column.terms, bytes) - 0.5 : ordinal
}

function byKeyword(spec: SortSpec): SortField {
  const columnOf = (segment: Segment): KeywordColumn | undefined => {
    const column = segment.columns.get(spec.field)
    return column?.kind === 'keyword' ? column : undefined
  }
  const missingOf = (segment: Segment): number => {
    const column = columnOf(segment)
    if (isPlace(spec.missing)) return missingKey(spec)
    return column ? termKey(column, plainText(spec.missing)) : -0.5
  }
  return {
    keys(segment) {
      const column = columnOf(segment)
      const missing = missingOf(segment)
      if (!column) return () => missing
      const { ordStart, ords } = column
      return (doc) => {
        const start = ordStart[doc]!
        const end = ordStart[doc + 1]!
        return start === end ? missing : ords[spec.mode === 'min' ? start : end - 1]!
      }
    },
    keyOf(segment, value) {
      if (value === null) return missingKey(spec)
      const column = columnOf(segment)
      return column ? termKey(column, plainText(value)) : 0
    },
    valueOf(segment, key) {
      const column = columnOf(segment)
      if (column && Number.isInteger(key)) return termText(column.terms, Number(key))
      return Number.isFinite(key) ? plainText(spec.missing) : null
    },
    show: (value) => value,
  }
}

const MAX_LONG = 2n ** 63n - 1n
const MAX_INTEGER = 2n ** 31n - 1n
const INTEGER_TYPES = new Set(['integer', 'short', 'byte'])

function byNumber(spec: SortSpec, mapping: FieldMapping | undefined, now: number): SortField {
  const columnOf = (segment: Segment): NumericColumn | undefined => {
    const column = segment.columns.get(spec.field)
    return column?.kind === 'numeric' ? column : undefined
  }
  const read = (value: unknown): SortKey => {
    if (mapping?.type === 'date') return parseDate(plainText(value), mapping.format, { now })
    return mapping ? numberOf(mapping, value) : number(value)
  }
  const missing = isPlace(spec.missing) ? missingKey(spec) : withReason(() => read(spec.missing))
  return {
    keys(segment) {
      const column = columnOf(segment)
      if (!column) return () => missing
      const { start, values } = column
      return (doc) => {
        const from = start[doc]!
        const to = start[doc + 1]!
        return from === to ? missing : values[spec.mode === 'min' ? from : to - 1]!
      }
    },
    keyOf: (_segment, value) => {
      if (value === null) return missingKey(spec)
      try {
        return withReason(() => read(value))
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error
        throw failures.illegalArgument(
          `Failed to parse search_after value for field [${spec.field}].`,
          { causedBy: toCause(error) },
        )
      }
    },
    valueOf: (_segment, key) => key,
    show: (value) => showNumber(value, mapping),
  }
}

/** A missing whole number shows as the largest or smallest there is. */
function showNumber(value: SortValue, mapping: FieldMapping | undefined): unknown {
  const isLong = !mapping || isWhole(mapping) || mapping.type === 'date'
  if (isLong) {
    if (typeof value !== 'number' || Number.isFinite(value)) return value
    const largest = mapping && INTEGER_TYPES.has(mapping.type) ? MAX_INTEGER : MAX_LONG
    return value > 0 ? largest : -largest - 1n
  }
  return mapping.type === 'double' ? float64(Number(value)) : float32(Number(value))
}

function byBoolean(spec: SortSpec): SortField {
  const inner = byKeyword({
    ...spec,
    missing: isPlace(spec.missing) ? spec.missing : term(spec.missing),
  })
  return {
    ...inner,
    keyOf: (segment, value) => inner.keyOf(segment, value === null ? null : term(value)),
    show: (value) =>
      value === null ? showNumber(missingKey(spec), undefined) : value === 'T' ? 1 : 0,
  }
}

const term = (value: unknown) => (value === true || value === 1 || value === 'true' ? 'T' : 'F')
