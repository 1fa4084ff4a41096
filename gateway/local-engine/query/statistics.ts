import { encodeTerm, findTerm } from '../segment/dictionary.ts'
import type { Column, KeywordColumn, Segment, Snapshot, TextColumn } from '../segment/segment.ts'

/** What BM25 needs to know of a field: every copy counts, dead or alive, until it is merged away. */
export interface FieldStatistics {
  readonly docsWithField: number
  readonly sumOfLengths: number
}

/** Term statistics over the whole of one index. */
export interface IndexStatistics {
  /** Segments with a live document; the others count no more. */
  readonly segments: readonly Segment[]
  field(path: string): FieldStatistics
  /** Number of documents with the term. */
  docFrequency(path: string, term: string): number
  columns(path: string): readonly (TextColumn | KeywordColumn)[]
}

/** A column whose values are terms, or undefined. */
export function termColumn(segment: Segment, path: string): TextColumn | KeywordColumn | undefined {
  const column: Column | undefined = segment.columns.get(path)
  return column && column.kind !== 'numeric' ? column : undefined
}

/** Statistics of what one search sees of an index. */
export function createStatistics(snapshot: Snapshot): IndexStatistics {
  const segments = snapshot.segments
    .filter(({ liveCount }) => liveCount > 0)
    .map(({ segment }) => segment)
  const fields = new Map<string, FieldStatistics>()
  const columns = (path: string) => segments.flatMap((segment) => termColumn(segment, path) ?? [])
  return {
    segments,
    columns,
    field(path) {
      let found = fields.get(path)
      if (!found) fields.set(path, (found = sumFields(columns(path))))
      return found
    },
    docFrequency(path, term) {
      const bytes = encodeTerm(term)
      let sum = 0
      for (const { terms, postings } of columns(path)) {
        const ordinal = findTerm(terms, bytes)
        if (ordinal >= 0) sum += postings.start[ordinal + 1]! - postings.start[ordinal]!
      }
      return sum
    },
  }
}

function sumFields(columns: readonly (TextColumn | KeywordColumn)[]): FieldStatistics {
  let docsWithField = 0
  let sumOfLengths = 0
  for (const column of columns) {
    docsWithField += column.docsWithField
    // A value of a keyword is a token; several of a document count once when they are equal.
    sumOfLengths += column.kind === 'text' ? column.sumOfLengths : column.postings.docs.length
  }
  return { docsWithField, sumOfLengths }
}
