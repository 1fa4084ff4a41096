import { encodeTerm, findTerm } from '../../segment/dictionary.ts'
import type { KeywordColumn, Segment, TextColumn } from '../../segment/segment.ts'
import { bm25, type FieldSimilarity } from '../similarity.ts'
import { termColumn } from '../statistics.ts'
import { NO_MATCHES, type Matches, type Weight } from '../weight.ts'
import { sharedIndices } from './docs.ts'

/** How a term scores; null when scores are not wanted. */
export interface TermScoring {
  readonly similarity: FieldSimilarity
  readonly weight: number
}

/** One term of a field. Fields without norms count as length 1, frequency 1. */
export function createTermWeight(field: string, term: string, scoring: TermScoring | null): Weight {
  const bytes = encodeTerm(term)
  const find = (segment: Segment) => {
    const column = termColumn(segment, field)
    const ordinal = column ? findTerm(column.terms, bytes) : -1
    return column && ordinal >= 0
      ? {
          column,
          start: column.postings.start[ordinal]!,
          end: column.postings.start[ordinal + 1]!,
        }
      : undefined
  }
  return {
    cost(segment) {
      const found = find(segment)
      return found ? found.end - found.start : 0
    },
    match(segment, within) {
      const found = find(segment)
      if (!found) return NO_MATCHES
      const { column, start, end } = found
      const all = column.postings.docs.subarray(start, end)
      if (!within) return { docs: all, scores: scoring ? scoreRun(column, start, all, scoring) : 0 }
      return pick(column, start, sharedIndices(all, within), scoring)
    },
  }
}

/** Scores of postings `start`, `start + 1`, … whose documents are `docs`. */
function scoreRun(
  column: TextColumn | KeywordColumn,
  start: number,
  docs: Int32Array,
  { similarity, weight }: TermScoring,
): Float32Array | number {
  const { cache } = similarity
  if (column.kind === 'keyword') return bm25(weight, 1, cache[1]!)
  const { posOffset, norms } = column
  const scores = new Float32Array(docs.length)
  // Most terms stand once in a document: their score depends on the norm alone.
  const once = new Float32Array(256)
  let offset = posOffset[start]!
  for (let i = 0; i < docs.length; i++) {
    const next = posOffset[start + i + 1]!
    const norm = norms[docs[i]!]!
    const frequency = next - offset
    offset = next
    if (frequency !== 1) scores[i] = bm25(weight, frequency, cache[norm]!)
    else if (once[norm] !== 0) scores[i] = once[norm]!
    else scores[i] = once[norm] = bm25(weight, 1, cache[norm]!)
  }
  return scores
}

function pick(
  column: TextColumn | KeywordColumn,
  start: number,
  indices: Int32Array,
  scoring: TermScoring | null,
): Matches {
  const docs = new Int32Array(indices.length)
  for (let i = 0; i < indices.length; i++) docs[i] = column.postings.docs[start + indices[i]!]!
  if (!scoring) return { docs, scores: 0 }
  const { weight, similarity } = scoring
  const { cache } = similarity
  if (column.kind === 'keyword') return { docs, scores: bm25(weight, 1, cache[1]!) }
  const scores = new Float32Array(indices.length)
  for (let i = 0; i < indices.length; i++) {
    const posting = start + indices[i]!
    const frequency = column.posOffset[posting + 1]! - column.posOffset[posting]!
    scores[i] = bm25(weight, frequency, cache[column.norms[docs[i]!]!]!)
  }
  return { docs, scores }
}
