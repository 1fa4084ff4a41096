import { sumUp } from './growing.ts'
import { toKeywordColumn } from './keyword.ts'
import type { Dictionary, KeywordColumn, Postings, TextColumn } from './segment.ts'

/** A column of one part, and where its documents go: −1 for the dead. */
export interface ColumnPart<Kind> {
  readonly column: Kind
  readonly newDocs: Int32Array
}

type WithTerms = TextColumn | KeywordColumn

/** Joins keyword columns; terms without a live document go. */
export function mergeKeyword(
  parts: readonly ColumnPart<KeywordColumn>[],
  docCount: number,
): KeywordColumn {
  const { terms, maps } = mergeDictionaries(parts)
  return toKeywordColumn(terms, mergePostings(parts, maps, terms.count).postings, docCount)
}

/** Joins text columns; statistics are those of the live documents. */
export function mergeText(parts: readonly ColumnPart<TextColumn>[], docCount: number): TextColumn {
  const { terms, maps } = mergeDictionaries(parts)
  const { postings, newPosting } = mergePostings(parts, maps, terms.count)
  const posOffset = new Int32Array(postings.docs.length + 1)
  const norms = new Uint8Array(docCount)
  parts.forEach(({ column, newDocs }, part) => {
    newPosting[part]!.forEach((to, from) => {
      if (to >= 0) posOffset[to + 1] = column.posOffset[from + 1]! - column.posOffset[from]!
    })
    newDocs.forEach((to, doc) => {
      if (to >= 0) norms[to] = column.norms[doc]!
    })
  })
  sumUp(posOffset)
  const positions = new Int32Array(posOffset[postings.docs.length]!)
  parts.forEach(({ column }, part) => {
    newPosting[part]!.forEach((to, from) => {
      if (to < 0) return
      const begin = column.posOffset[from]!
      const end = column.posOffset[from + 1]!
      let at = posOffset[to]!
      for (let i = begin; i < end; i++) positions[at++] = column.positions[i]!
    })
  })
  const withTokens = new Uint8Array(docCount)
  for (const doc of postings.docs) withTokens[doc] = 1
  return {
    kind: 'text',
    terms,
    postings,
    posOffset,
    positions,
    norms,
    docsWithField: withTokens.reduce((sum, one) => sum + one, 0),
    sumOfLengths: positions.length,
  }
}

/** Where every posting of every part goes, in order of term, part, document. */
function mergePostings(
  parts: readonly ColumnPart<WithTerms>[],
  maps: readonly Int32Array[],
  termCount: number,
): { postings: Postings; newPosting: Int32Array[] } {
  const start = new Int32Array(termCount + 1)
  parts.forEach(({ column, newDocs }, part) =>
    eachPosting(column, maps[part]!, (term, posting) => {
      if (newDocs[column.postings.docs[posting]!]! >= 0) start[term + 1]!++
    }),
  )
  sumUp(start)
  const next = start.slice()
  const docs = new Int32Array(start[termCount]!)
  const newPosting = parts.map(({ column, newDocs }, part) => {
    const to = new Int32Array(column.postings.docs.length).fill(-1)
    eachPosting(column, maps[part]!, (term, posting) => {
      const doc = newDocs[column.postings.docs[posting]!]!
      if (doc < 0) return
      const at = next[term]!++
      to[posting] = at
      docs[at] = doc
    })
    return to
  })
  return { postings: { start, docs }, newPosting }
}

function eachPosting(
  { postings }: WithTerms,
  map: Int32Array,
  visit: (term: number, posting: number) => void,
): void {
  for (let term = 0; term < map.length; term++) {
    const to = map[term]!
    if (to < 0) continue
    for (let i = postings.start[term]!; i < postings.start[term + 1]!; i++) visit(to, i)
  }
}

/** All terms with a live document, and for each part old ordinal → new, −1 for a term that goes. */
function mergeDictionaries(parts: readonly ColumnPart<WithTerms>[]): {
  terms: Dictionary
  maps: Int32Array[]
} {
  const dictionaries = parts.map(({ column }) => column.terms)
  const maps = dictionaries.map(({ count }) => new Int32Array(count).fill(-1))
  const heads = parts.map(({ column, newDocs }) => nextLive(column, newDocs, 0))
  const longest = dictionaries.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const bytes = new Uint8Array(longest)
  const offsets = [0]
  for (let end = 0; ;) {
    let least = -1
    for (let part = 0; part < parts.length; part++) {
      if (heads[part] === dictionaries[part]!.count) continue
      if (least < 0 || compareHeads(part, least) < 0) least = part
    }
    if (least < 0) return { terms: pack(bytes, end, offsets), maps }
    const { bytes: from, offsets: fromOffsets } = dictionaries[least]!
    const begin = end
    for (let i = fromOffsets[heads[least]!]!; i < fromOffsets[heads[least]! + 1]!; i++)
      bytes[end++] = from[i]!
    const term = offsets.length - 1
    offsets.push(end)
    advance(least, bytes.subarray(begin, end), term)
  }

  /** Every part whose head is this term gives it the number and moves on. */
  function advance(first: number, term: Uint8Array, number: number): void {
    for (let part = first; part < parts.length; part++) {
      const head = heads[part]!
      const dictionary = dictionaries[part]!
      if (head === dictionary.count || !isTerm(dictionary, head, term)) continue
      maps[part]![head] = number
      heads[part] = nextLive(parts[part]!.column, parts[part]!.newDocs, head + 1)
    }
  }

  function compareHeads(a: number, b: number): number {
    const left = dictionaries[a]!
    const right = dictionaries[b]!
    let i = left.offsets[heads[a]!]!
    let j = right.offsets[heads[b]!]!
    const iEnd = left.offsets[heads[a]! + 1]!
    const jEnd = right.offsets[heads[b]! + 1]!
    for (; i < iEnd && j < jEnd; i++, j++) {
      const difference = left.bytes[i]! - right.bytes[j]!
      if (difference !== 0) return difference
    }
    return iEnd - i - (jEnd - j)
  }
}

const pack = (bytes: Uint8Array, end: number, offsets: readonly number[]): Dictionary => ({
  count: offsets.length - 1,
  bytes: bytes.slice(0, end),
  offsets: Int32Array.from(offsets),
})

function isTerm({ bytes, offsets }: Dictionary, ordinal: number, term: Uint8Array): boolean {
  const start = offsets[ordinal]!
  if (offsets[ordinal + 1]! - start !== term.length) return false
  for (let i = 0; i < term.length; i++) if (bytes[start + i] !== term[i]) return false
  return true
}

/** The first term from `from` on that a live document has. */
function nextLive({ terms, postings }: WithTerms, newDocs: Int32Array, from: number): number {
  for (let term = from; term < terms.count; term++)
    for (let i = postings.start[term]!; i < postings.start[term + 1]!; i++)
      if (newDocs[postings.docs[i]!]! >= 0) return term
  return terms.count
}
