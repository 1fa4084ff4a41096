import type { Segment } from '../../segment/segment.ts'
import type { Slice } from '../slice.ts'
import { NO_MATCHES, type Matches, type Weight } from '../weight.ts'
import { createMarks, markedDocs } from './docs.ts'

/** The clauses of a bool; `minimum` is how many of `should` have to match. */
export interface BoolParts {
  readonly must: readonly Weight[]
  readonly should: readonly Weight[]
  readonly filter: readonly Weight[]
  readonly mustNot: readonly Weight[]
  readonly minimum: number
}

/** Documents found so far and the sums of their scores, in double. */
interface Found {
  docs: Int32Array
  sums: Float64Array
}

/** A boolean combination. Sums are made in double and rounded once for `must`, once for `should`. */
export function createBoolWeight(parts: BoolParts, slice: Slice): Weight {
  const { filter, mustNot, minimum } = parts
  return { cost, match }

  function cost(segment: Segment): number {
    const required = [...parts.must, ...filter].map((part) => part.cost(segment))
    if (required.length > 0) return Math.min(...required)
    return Math.min(
      segment.docCount,
      parts.should.reduce((sum, part) => sum + part.cost(segment), 0),
    )
  }

  async function match(segment: Segment, within: Int32Array | null): Promise<Matches> {
    const present = parts.should.filter((part) => part.cost(segment) > 0)
    if (present.length < minimum) return NO_MATCHES
    // Lucene decides by segment: when every clause that can match has to, they are required.
    const allNeeded = minimum > 0 && present.length === minimum
    const must = allNeeded ? [...parts.must, ...present] : parts.must
    const should = allNeeded ? [] : present
    const required = [...must, ...filter]
    if (required.some((part) => part.cost(segment) === 0)) return NO_MATCHES
    if (required.length === 0) return without(await any(segment, within, should), segment)
    const found = await all(segment, within, { must, required })
    if (should.length === 0) return without(toMatches(found), segment)
    return without(await addOptional(segment, found, should), segment)
  }

  /** Documents every required clause matches; the cheapest goes first, the rest look only there. */
  async function all(
    segment: Segment,
    within: Int32Array | null,
    { must, required }: { must: readonly Weight[]; required: readonly Weight[] },
  ): Promise<Found> {
    const order = required
      .map((part) => ({ part, cost: part.cost(segment) }))
      .toSorted((a, b) => a.cost - b.cost)
    let found: Found | undefined
    for (const { part } of order) {
      const matches = await part.match(segment, found?.docs ?? within)
      found = narrow(found, matches, must.includes(part))
      if (slice.due()) await slice.handOver()
    }
    return found!
  }

  async function any(
    segment: Segment,
    within: Int32Array | null,
    should: readonly Weight[],
  ): Promise<Matches> {
    if (should.length === 0) return NO_MATCHES
    if (should.length === 1) return should[0]!.match(segment, within)
    const sums = new Float64Array(segment.docCount)
    const marks = createMarks(segment.docCount)
    const counts = minimum > 1 ? new Uint16Array(segment.docCount) : null
    for (const part of should) {
      addTo(await part.match(segment, within), sums, marks)
      if (slice.due()) await slice.handOver()
    }
    const docs = markedDocs(marks, segment.docCount)
    return { docs, scores: roundSums(docs, sums) }

    function addTo({ docs, scores }: Matches, sums: Float64Array, marks: Uint8Array): void {
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i]!
        sums[doc]! += typeof scores === 'number' ? scores : scores[i]!
        if (!counts) marks[doc] = 1
        else if (++counts[doc]! >= minimum) marks[doc] = 1
      }
    }
  }

  /** Adds what matches of `should`; documents with fewer than the minimum go. */
  async function addOptional(
    segment: Segment,
    { docs, sums }: Found,
    should: readonly Weight[],
  ): Promise<Matches> {
    const extra = new Float64Array(docs.length)
    const counts = new Uint16Array(docs.length)
    for (const part of should) {
      const matches = await part.match(segment, docs)
      let at = 0
      for (let i = 0; i < matches.docs.length; i++) {
        while (docs[at] !== matches.docs[i]) at++
        extra[at]! += typeof matches.scores === 'number' ? matches.scores : matches.scores[i]!
        counts[at]!++
      }
      if (slice.due()) await slice.handOver()
    }
    const kept = new Int32Array(docs.length)
    const scores = new Float32Array(docs.length)
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      if (counts[i]! < minimum) continue
      kept[count] = docs[i]!
      scores[count++] = Math.fround(sums[i]!) + Math.fround(extra[i]!)
    }
    return { docs: kept.subarray(0, count), scores: scores.subarray(0, count) }
  }

  async function without(matches: Matches, segment: Segment): Promise<Matches> {
    let left = matches
    for (const part of mustNot) {
      if (left.docs.length === 0) break
      const { docs } = await part.match(segment, left.docs)
      left = remove(left, docs)
    }
    return left
  }
}

/** Keeps of `found` what matches as well, and adds the scores of a scoring clause. */
function narrow(found: Found | undefined, { docs, scores }: Matches, scoring: boolean): Found {
  const sums = new Float64Array(docs.length)
  let at = 0
  for (let i = 0; i < docs.length; i++) {
    if (found) {
      while (found.docs[at] !== docs[i]) at++
      sums[i] = found.sums[at]!
    }
    if (scoring) sums[i]! += typeof scores === 'number' ? scores : scores[i]!
  }
  return { docs, sums }
}

const toMatches = ({ docs, sums }: Found): Matches => ({ docs, scores: Float32Array.from(sums) })

function roundSums(docs: Int32Array, sums: Float64Array): Float32Array {
  const scores = new Float32Array(docs.length)
  for (let i = 0; i < docs.length; i++) scores[i] = sums[docs[i]!]!
  return scores
}

function remove({ docs, scores }: Matches, gone: Int32Array): Matches {
  if (gone.length === 0) return { docs, scores }
  const kept = new Int32Array(docs.length)
  const keptScores = typeof scores === 'number' ? null : new Float32Array(docs.length)
  let count = 0
  let at = 0
  for (let i = 0; i < docs.length; i++) {
    if (gone[at] === docs[i]) {
      at++
      continue
    }
    if (keptScores && typeof scores !== 'number') keptScores[count] = scores[i]!
    kept[count++] = docs[i]!
  }
  return {
    docs: kept.subarray(0, count),
    scores: keptScores ? keptScores.subarray(0, count) : scores,
  }
}
