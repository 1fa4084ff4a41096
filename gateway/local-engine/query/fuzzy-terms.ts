import {
  beginsWith,
  compareCodePoints,
  encodeTerm,
  lowerBound,
  termText,
} from '../segment/dictionary.ts'
import type { Dictionary } from '../segment/segment.ts'
import { NONE, boolOf, boosted, type Fuzziness, type QueryNode } from './node.ts'
import type { Slice } from './slice.ts'
import type { IndexStatistics } from './statistics.ts'

const TERMS_PER_BLOCK = 1024
/** Stands for every distance that is too large. */
const BEYOND = 100

/**
 * The terms within a few edits, over all segments: the best ones as a disjunction in which all use
 * the largest document frequency among them and closer terms weigh more.
 */
export async function expandFuzzy(
  { field, term, fuzziness }: Extract<QueryNode, { kind: 'fuzzy' }>,
  index: IndexStatistics,
  slice: Slice,
): Promise<QueryNode> {
  // Equal terms only: none at all is not the same as a term without documents.
  if (fuzziness.edits === 0)
    return index.docFrequency(field, term) > 0 ? { kind: 'term', field, term } : NONE
  const boosts = new Map<string, number>()
  for (const { terms } of index.columns(field)) await collect(terms, term, fuzziness)
  const best = [...boosts]
    .toSorted(([a, boostA], [b, boostB]) => boostB - boostA || compareCodePoints(a, b))
    .slice(0, fuzziness.maxExpansions)
  if (best.length === 0) return NONE
  const docFrequency = Math.max(...best.map(([text]) => index.docFrequency(field, text)))
  const should = best.map(([text, boost]) =>
    // Words as short as the distance is large: closer ones go first, but none counts against.
    boosted({ kind: 'term', field, term: text, docFrequency }, Math.max(0, boost)),
  )
  return boolOf({ should })

  async function collect(terms: Dictionary, word: string, wanted: Fuzziness): Promise<void> {
    const points = Array.from(word, (char) => char.codePointAt(0)!)
    const prefixLength = Math.min(wanted.prefixLength, points.length)
    const prefix = encodeTerm(String.fromCodePoint(...points.slice(0, prefixLength)))
    const distance = createDistance(points.slice(prefixLength), wanted)
    for (let i = lowerBound(terms, prefix); i < terms.count; i++) {
      if (i % TERMS_PER_BLOCK === 0 && slice.due()) await slice.handOver()
      if (!beginsWith(terms, i, prefix)) return
      const start = terms.offsets[i]! + prefix.length
      const edits = distance(terms.bytes, start, terms.offsets[i + 1]!)
      if (edits < 0) continue
      const text = termText(terms, i)
      const shorter = Math.min(Array.from(text).length, points.length)
      boosts.set(text, Math.fround(1 - Math.fround(edits / shorter)))
    }
  }
}

/**
 * Edit distance of one word to terms that come in order: rows of the table are kept as long as the
 * terms begin alike. Gives −1 beyond the limit.
 */
function createDistance(word: readonly number[], { edits: limit, transpositions }: Fuzziness) {
  const width = word.length + 1
  const rows: Uint8Array[] = [Uint8Array.from({ length: width }, (_, i) => Math.min(i, BEYOND))]
  const points: number[] = []
  /** Where code point i of the last term ended, from the start of what is compared. */
  const ends: number[] = []
  let lastBytes: Uint8Array = new Uint8Array(0)
  let lastStart = 0
  let lastEnd = 0
  /** Rows from here on are not worth computing: every cell is above the limit. */
  let deadAt = Number.POSITIVE_INFINITY

  return (bytes: Uint8Array, start: number, end: number): number => {
    const common = commonBytes(bytes, start, end)
    lastBytes = bytes
    lastStart = start
    lastEnd = end
    let known = 0
    while (known < ends.length && ends[known]! <= common) known++
    if (known >= deadAt) return -1
    deadAt = Number.POSITIVE_INFINITY
    ends.length = known
    for (let at = start + (known === 0 ? 0 : ends[known - 1]!); at < end; known++) {
      const [point, size] = decodePoint(bytes, at)
      at += size
      points[known] = point
      ends[known] = at - start
      if (computeRow(known + 1) > limit) {
        deadAt = known + 1
        return -1
      }
    }
    const distance = rows[known]![word.length]!
    return distance <= limit ? distance : -1
  }

  function commonBytes(bytes: Uint8Array, start: number, end: number): number {
    const most = Math.min(end - start, lastEnd - lastStart)
    let i = 0
    while (i < most && bytes[start + i] === lastBytes[lastStart + i]) i++
    return i
  }

  /**
   * Fills the row of a prefix and gives the least that can still come of it. Only cells near the
   * diagonal can be within the limit; those beside them hold what is above it.
   */
  function computeRow(length: number): number {
    const row = (rows[length] ??= new Uint8Array(width).fill(BEYOND))
    const above = rows[length - 1]!
    const twoAbove = length > 1 ? rows[length - 2] : undefined
    const point = points[length - 1]!
    const pointBefore = points[length - 2]
    const first = Math.max(1, length - limit)
    const last = Math.min(width - 1, length + limit)
    row[first - 1] = first === 1 ? Math.min(length, BEYOND) : BEYOND
    if (last + 1 < width) row[last + 1] = BEYOND
    let least = row[first - 1]!
    for (let i = first; i <= last; i++) {
      let cell = above[i - 1]! + (word[i - 1] === point ? 0 : 1)
      if (above[i]! + 1 < cell) cell = above[i]! + 1
      if (row[i - 1]! + 1 < cell) cell = row[i - 1]! + 1
      if (
        transpositions &&
        twoAbove &&
        i > 1 &&
        word[i - 2] === point &&
        word[i - 1] === pointBefore &&
        twoAbove[i - 2]! + 1 < cell
      )
        cell = twoAbove[i - 2]! + 1
      row[i] = cell < BEYOND ? cell : BEYOND
      if (cell < least) least = cell
      // An exchange reaches over one row, at the cost of one edit.
      if (transpositions && above[i - 1]! + 1 < least) least = above[i - 1]! + 1
    }
    return least
  }
}

/** The code point at a place of well-formed UTF-8, and how many bytes it takes. */
function decodePoint(bytes: Uint8Array, at: number): [number, number] {
  const first = bytes[at]!
  if (first < 0x80) return [first, 1]
  const next = (i: number) => bytes[at + i]! & 0x3f
  if (first < 0xe0) return [((first & 0x1f) << 6) | next(1), 2]
  if (first < 0xf0) return [((first & 0x0f) << 12) | (next(1) << 6) | next(2), 3]
  return [((first & 0x07) << 18) | (next(1) << 12) | (next(2) << 6) | next(3), 4]
}
