import { failures } from '../errors.ts'
import { formatDate } from '../mapping/dates/format-date.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { isNumeric } from '../query/values.ts'
import { textField } from '../search/sort-field.ts'
import type { SearchTarget } from '../search/target.ts'
import type { KeywordColumn, Segment } from '../segment/segment.ts'

/**
 * The field an aggregation names, in the index at hand; undefined when it is not mapped there.
 * @throws {EngineFailure} for text, which has no values by document.
 */
export function aggregatedField(target: SearchTarget, path: string): FieldMapping | undefined {
  const mapping = target.fields.field(path)
  if (mapping?.type === 'text') throw textField(path)
  if (mapping && !mapping.docValues)
    throw failures.illegalArgument(
      `Can't load fielddata on [${path}] because fielddata is unsupported on fields of type [${mapping.type}]. Use doc values instead.`,
    )
  return mapping
}

/**
 * The same for aggregations over numbers; dates and booleans count as such.
 * @throws {EngineFailure} for keywords as well.
 */
export function numericField(
  target: SearchTarget,
  path: string,
  aggregation: string,
): FieldMapping | undefined {
  const mapping = aggregatedField(target, path)
  if (mapping && !isNumeric(mapping) && mapping.type !== 'boolean')
    throw failures.illegalArgument(
      `Field [${path}] of type [${mapping.type}] is not supported for aggregation [${aggregation}]`,
    )
  return mapping
}

/** The numbers of a document, one call each, ascending. Booleans are 0 and 1. */
export type EachNumber = (doc: number, visit: (value: number) => void) => void

/** Reads the numbers of a field in one segment; `missing` stands in where there is none. */
export function numbersOf(segment: Segment, path: string, missing: number | undefined): EachNumber {
  const column = segment.columns.get(path)
  const absent: EachNumber = (_doc, visit) => {
    if (missing !== undefined) visit(missing)
  }
  if (!column || column.kind === 'text') return absent
  const start = column.kind === 'numeric' ? column.start : column.ordStart
  const at = column.kind === 'numeric' ? valueAt(column.values) : booleanAt(column)
  return (doc, visit) => {
    const from = start[doc]!
    const to = start[doc + 1]!
    if (from === to) return absent(doc, visit)
    for (let i = from; i < to; i++) visit(at(i))
  }
}

const valueAt = (values: Float64Array | BigInt64Array) =>
  values instanceof Float64Array ? (i: number) => values[i]! : (i: number) => Number(values[i]!)

/** The terms of a boolean field are F and T; a segment may have only one of them. */
function booleanAt({ terms, ords }: KeywordColumn) {
  const isTrue = Uint8Array.from({ length: terms.count }, (_, ordinal) =>
    terms.bytes[terms.offsets[ordinal]!] === 0x54 ? 1 : 0,
  )
  return (i: number) => isTrue[ords[i]!]!
}

/** The text a number of a date or boolean field has beside it; undefined for plain numbers. */
export function textOfNumber(mapping: FieldMapping | undefined, value: number): string | undefined {
  if (mapping?.type === 'date') return formatDate(value, mapping.format)
  return mapping?.type === 'boolean' ? String(value !== 0) : undefined
}
