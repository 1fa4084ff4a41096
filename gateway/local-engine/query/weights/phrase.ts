import { encodeTerm, findTerm } from '../../segment/dictionary.ts'
import type { Segment, TextColumn } from '../../segment/segment.ts'
import type { PhrasePosition } from '../node.ts'
import { bm25, type FieldSimilarity } from '../similarity.ts'
import type { Slice } from '../slice.ts'
import { NO_MATCHES, type Matches, type Weight } from '../weight.ts'
import { createMarks, filterMarked, gallop, markedDocs, sharedIndices } from './docs.ts'
import { createSloppyFrequency } from './sloppy.ts'

const DOCS_PER_BLOCK = 4096

/** A phrase and how it scores. */
export interface PhraseParts {
  readonly field: string
  readonly positions: readonly PhrasePosition[]
  readonly slop: number
  readonly similarity: FieldSimilarity
  readonly weight: number
}

/** One posting list being walked. */
interface Cursor {
  readonly docs: Int32Array
  readonly firstPosting: number
  at: number
}

/** Where a word of the phrase stands in the current document, the word's offset taken off. */
export interface Occurrences {
  readonly offset: number
  values: Int32Array
  count: number
}

/** Words at fixed offsets; with slop they may be moved, and close ones count more. */
export function createPhraseWeight(parts: PhraseParts, slice: Slice): Weight {
  const { field, positions, slop, similarity, weight } = parts
  const terms = positions.map((position) => position.terms.map(encodeTerm))
  const sloppy = slop > 0 ? createSloppyFrequency(positions, slop) : undefined

  return { cost, match }

  function cursorsOf(segment: Segment): { column: TextColumn; cursors: Cursor[][] } | undefined {
    const column = segment.columns.get(field)
    if (column?.kind !== 'text') return undefined
    const cursors: Cursor[][] = []
    for (const alternatives of terms) {
      const found = alternatives.flatMap((term) => cursorOf(column, term) ?? [])
      if (found.length === 0) return undefined
      cursors.push(found)
    }
    return { column, cursors }
  }

  function cost(segment: Segment): number {
    const found = cursorsOf(segment)
    return found ? Math.min(...found.cursors.map(sizeOf)) : 0
  }

  async function match(segment: Segment, within: Int32Array | null): Promise<Matches> {
    const found = cursorsOf(segment)
    if (!found) return NO_MATCHES
    const { column, cursors } = found
    const candidates = shared(segment, cursors, within)
    const occurrences = positions.map(({ offset }): Occurrences => ({
      offset,
      values: new Int32Array(8),
      count: 0,
    }))
    const docs = new Int32Array(candidates.length)
    const scores = new Float32Array(candidates.length)
    let count = 0
    for (let i = 0; i < candidates.length; i++) {
      if (i % DOCS_PER_BLOCK === 0 && slice.due()) await slice.handOver()
      const doc = candidates[i]!
      for (let word = 0; word < cursors.length; word++)
        gather(column, cursors[word]!, doc, occurrences[word]!)
      const frequency = sloppy ? sloppy(occurrences) : exactFrequency(occurrences)
      if (frequency === 0) continue
      docs[count] = doc
      scores[count++] = bm25(weight, frequency, similarity.cache[column.norms[doc]!]!)
    }
    return { docs: docs.subarray(0, count), scores: scores.subarray(0, count) }
  }
}

function cursorOf(column: TextColumn, term: Uint8Array): Cursor | undefined {
  const ordinal = findTerm(column.terms, term)
  if (ordinal < 0) return undefined
  const firstPosting = column.postings.start[ordinal]!
  const end = column.postings.start[ordinal + 1]!
  return { docs: column.postings.docs.subarray(firstPosting, end), firstPosting, at: 0 }
}

const sizeOf = (alternatives: readonly Cursor[]) =>
  alternatives.reduce((sum, { docs }) => sum + docs.length, 0)

/** Documents that have a term for every word. */
function shared(
  segment: Segment,
  cursors: readonly Cursor[][],
  within: Int32Array | null,
): Int32Array {
  const order = cursors.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  let docs = within
  for (const alternatives of order) {
    const [only] = alternatives
    if (alternatives.length === 1 && only) {
      if (docs) {
        const current = docs
        docs = sharedIndices(only.docs, current).map((index) => only.docs[index]!)
      } else docs = only.docs
      continue
    }
    const marks = createMarks(segment.docCount)
    for (const cursor of alternatives) for (const doc of cursor.docs) marks[doc] = 1
    docs = docs ? filterMarked(docs, marks) : markedDocs(marks, segment.docCount)
  }
  return docs ?? new Int32Array(0)
}

/** Reads the positions of a word in a document, all alternatives together, ascending. */
function gather(
  column: TextColumn,
  alternatives: readonly Cursor[],
  doc: number,
  into: Occurrences,
): void {
  into.count = 0
  for (const cursor of alternatives) {
    cursor.at = gallop(cursor.docs, cursor.at, doc)
    if (cursor.docs[cursor.at] !== doc) continue
    const posting = cursor.firstPosting + cursor.at
    for (let i = column.posOffset[posting]!; i < column.posOffset[posting + 1]!; i++) {
      if (into.count === into.values.length) {
        const wider = new Int32Array(into.count * 2)
        wider.set(into.values)
        into.values = wider
      }
      into.values[into.count++] = column.positions[i]! - into.offset
    }
  }
  if (alternatives.length > 1) into.values.subarray(0, into.count).sort()
}

/** Number of places where every word is at its offset. */
function exactFrequency(occurrences: readonly Occurrences[]): number {
  const [first, ...others] = occurrences as [Occurrences, ...Occurrences[]]
  const at = others.map(() => 0)
  let frequency = 0
  for (let i = 0; i < first.count; i++) {
    const position = first.values[i]!
    let all = true
    for (let word = 0; word < others.length; word++) {
      const { values, count } = others[word]!
      let place = at[word]!
      while (place < count && values[place]! < position) place++
      at[word] = place
      if (place === count) return frequency
      if (values[place] !== position) {
        all = false
        break
      }
    }
    if (all) frequency++
  }
  return frequency
}
