import {
  beginsWith,
  encodeTerm,
  findTerm,
  lowerBound,
  prefixEnd,
  termText,
} from '../../segment/dictionary.ts'
import type { Dictionary, KeywordColumn, Segment, TextColumn } from '../../segment/segment.ts'
import { createRegexpMatcher } from '../automaton/regexp.ts'
import type { Bounds } from '../node.ts'
import { termColumn } from '../statistics.ts'
import type { Weight } from '../weight.ts'
import { createMarks, filterMarked, markedDocs } from './docs.ts'

/** Which terms of a dictionary are meant: runs of ordinals, or single ones. */
export type TermChoice = (terms: Dictionary) => Iterable<readonly [from: number, to: number]>

/** Documents with any of the chosen terms; all score the same. */
export function createTermsWeight(field: string, choose: TermChoice, score: number): Weight {
  // Pages of one search ask the same segment more than once.
  const known = new WeakMap<Segment, readonly (readonly [number, number])[]>()
  const runsOf = (segment: Segment, column: TextColumn | KeywordColumn) => {
    let runs = known.get(segment)
    if (!runs) known.set(segment, (runs = [...choose(column.terms)]))
    return runs
  }
  return {
    cost(segment) {
      const column = termColumn(segment, field)
      if (!column) return 0
      const { start } = column.postings
      let sum = 0
      for (const [from, to] of runsOf(segment, column)) sum += start[to]! - start[from]!
      return Math.min(sum, segment.docCount)
    },
    match(segment, within) {
      const marks = createMarks(segment.docCount)
      const column = termColumn(segment, field)
      if (column) {
        const { start, docs } = column.postings
        for (const [from, to] of runsOf(segment, column))
          for (let i = start[from]!; i < start[to]!; i++) marks[docs[i]!] = 1
      }
      return {
        docs: within ? filterMarked(within, marks) : markedDocs(marks, segment.docCount),
        scores: score,
      }
    },
  }
}

/** Exactly these terms. */
export const chooseTerms =
  (given: readonly string[]): TermChoice =>
  (terms) =>
    given.flatMap((term) => {
      const ordinal = findTerm(terms, encodeTerm(term))
      return ordinal < 0 ? [] : [[ordinal, ordinal + 1] as const]
    })

/** Terms that begin so. */
export const choosePrefix =
  (prefix: string): TermChoice =>
  (terms) => {
    const bytes = encodeTerm(prefix)
    return [[lowerBound(terms, bytes), prefixEnd(terms, bytes)]]
  }

/** Terms between two others. */
export const chooseRange =
  ({ low, high, includeLow, includeHigh }: Bounds<string>): TermChoice =>
  (terms) => {
    const bound = (term: string, after: boolean) => {
      const bytes = encodeTerm(term)
      const ordinal = lowerBound(terms, bytes)
      return after && findTerm(terms, bytes) === ordinal ? ordinal + 1 : ordinal
    }
    const from = low === undefined ? 0 : bound(low, !includeLow)
    const to = high === undefined ? terms.count : bound(high, includeHigh)
    return from < to ? [[from, to]] : []
  }

/** Terms that fit a pattern: `*` any text, `?` one code point, `\` takes the next literally. */
export const chooseWildcard = (pattern: string): TermChoice => {
  const parts = parsePattern(pattern)
  const firstWild = parts.findIndex((part) => part === ANY || part === ONE)
  const literal = (firstWild < 0 ? parts : parts.slice(0, firstWild)) as string[]
  const prefix = encodeTerm(literal.join(''))
  return function* (terms) {
    for (let i = lowerBound(terms, prefix); i < terms.count; i++) {
      if (!beginsWith(terms, i, prefix)) return
      if (fits(Array.from(termText(terms, i)), parts)) yield [i, i + 1]
    }
  }
}

/** Terms that fit a regular expression as a whole. */
export const chooseRegexp = (pattern: string): TermChoice => {
  const matches = createRegexpMatcher(pattern)
  return function* (terms) {
    for (let i = 0; i < terms.count; i++)
      if (matches(Array.from(termText(terms, i), (char) => char.codePointAt(0)!))) yield [i, i + 1]
  }
}

const ANY = Symbol('any')
const ONE = Symbol('one')
type PatternPart = string | typeof ANY | typeof ONE

function parsePattern(pattern: string): PatternPart[] {
  const parts: PatternPart[] = []
  const chars = Array.from(pattern)
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === '*') parts.push(ANY)
    else if (char === '?') parts.push(ONE)
    else parts.push(char === '\\' && i + 1 < chars.length ? chars[++i]! : char)
  }
  return parts
}

/** Goes back to the last `*` only, so a pattern cannot take more than length times length. */
function fits(chars: readonly string[], parts: readonly PatternPart[]): boolean {
  let at = 0
  let part = 0
  let lastAny = -1
  let retry = 0
  while (at < chars.length) {
    const wanted = parts[part]
    if (wanted === ANY) {
      lastAny = part++
      retry = at
    } else if (part < parts.length && (wanted === ONE || wanted === chars[at])) {
      at++
      part++
    } else if (lastAny >= 0) {
      part = lastAny + 1
      at = ++retry
    } else return false
  }
  while (parts[part] === ANY) part++
  return part === parts.length
}
