import { mergeKeyword, mergeText, type ColumnPart } from './merge-terms.ts'
import { toColumnArray, toNumericColumn } from './numeric.ts'
import type { Column, LiveSegment, NumericColumn, Segment } from './segment.ts'

/** A merged segment, and where every document of the parts went: −1 for the dead. */
export interface MergedSegment {
  readonly segment: Segment
  /** One array a part: document → document in `segment`. */
  readonly newDocs: readonly Int32Array[]
}

/** Joins segments in order, leaving dead documents out. */
export function mergeSegments(parts: readonly LiveSegment[]): MergedSegment {
  let docCount = 0
  const newDocs = parts.map(({ segment, live }) =>
    Int32Array.from(segment.rows, (_, doc) => (live && live[doc] === 0 ? -1 : docCount++)),
  )
  const rows = new Int32Array(docCount)
  parts.forEach(({ segment }, part) => {
    newDocs[part]!.forEach((to, doc) => {
      if (to >= 0) rows[to] = segment.rows[doc]!
    })
  })
  const paths = new Set(parts.flatMap(({ segment }) => [...segment.columns.keys()]))
  const columns = new Map<string, Column>()
  for (const path of paths) {
    const own = parts.flatMap(({ segment }, part) => {
      const column = segment.columns.get(path)
      return column ? [{ column, newDocs: newDocs[part]! }] : []
    })
    columns.set(path, mergeColumn(own, docCount))
  }
  return { segment: { docCount, rows, columns }, newDocs }
}

function mergeColumn(parts: readonly ColumnPart<Column>[], docCount: number): Column {
  const text = parts.filter((part) => isPart(part, 'text'))
  if (text.length === parts.length) return mergeText(text, docCount)
  const keyword = parts.filter((part) => isPart(part, 'keyword'))
  if (keyword.length === parts.length) return mergeKeyword(keyword, docCount)
  return mergeNumeric(
    parts.filter((part) => isPart(part, 'numeric')),
    docCount,
  )
}

const isPart = <Kind extends Column['kind']>(
  part: ColumnPart<Column>,
  kind: Kind,
): part is ColumnPart<Extract<Column, { kind: Kind }>> => part.column.kind === kind

function mergeNumeric(
  parts: readonly ColumnPart<NumericColumn>[],
  docCount: number,
): NumericColumn {
  const docs: number[] = []
  const values: (number | bigint)[] = []
  for (const { column, newDocs } of parts)
    for (let i = 0; i < column.values.length; i++) {
      const doc = newDocs[column.docOf[i]!]!
      if (doc < 0) continue
      docs.push(doc)
      values.push(column.values[i]!)
    }
  return toNumericColumn(Int32Array.from(docs), toColumnArray(values), docCount)
}
