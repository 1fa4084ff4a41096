import { getAnalyzer } from '../analysis/analyzer.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { packTerms, sortTerms } from './dictionary.ts'
import { createGrowingInts, push, sumUp } from './growing.ts'
import { lengthToByte, NORM_NO_TOKENS } from './norms.ts'
import type { TextColumn } from './segment.ts'

/** Gathers one text field; documents come in ascending order. */
export function createTextAccumulator(mapping: FieldMapping) {
  const analyzer = getAnalyzer(mapping.analyzer)
  if (!analyzer) throw new Error(`field ${mapping.path} names the unknown ${mapping.analyzer}`)
  const numbers = new Map<string, number>()
  // One entry an occurrence.
  const terms = createGrowingInts()
  const docs = createGrowingInts()
  const positions = createGrowingInts()
  // One entry a document with the field.
  const normDocs = createGrowingInts()
  const normBytes = createGrowingInts()
  let docsWithField = 0
  let sumOfLengths = 0

  return { add, seal, sizeBytes: () => terms.length * 12 + numbers.size * 64 }

  function add(doc: number, values: readonly unknown[]): void {
    const before = terms.length
    let base = 0
    for (const value of values) {
      const positionsTaken = analyzer!.scan(
        String(value).toWellFormed(),
        (text, _start, _end, position) => {
          let term = numbers.get(text)
          if (term === undefined) numbers.set(text, (term = numbers.size))
          push(terms, term)
          push(docs, doc)
          push(positions, base + position)
        },
      )
      base += positionsTaken + mapping.positionIncrementGap
    }
    const length = terms.length - before
    push(normDocs, doc)
    push(normBytes, length === 0 ? NORM_NO_TOKENS : mapping.norms ? lengthToByte(length) : 1)
    if (length === 0) return
    docsWithField++
    sumOfLengths += length
  }

  function seal(docCount: number): TextColumn {
    const sorted = sortTerms([...numbers.keys()])
    const ordinalOf = new Int32Array(sorted.length)
    for (let i = 0; i < sorted.length; i++) ordinalOf[numbers.get(sorted[i]!)!] = i
    const order = byTerm(terms, ordinalOf)
    const norms = new Uint8Array(docCount)
    for (let i = 0; i < normDocs.length; i++) norms[normDocs.values[i]!] = normBytes.values[i]!
    return {
      kind: 'text',
      terms: packTerms(sorted),
      ...toPostings(order, sorted.length),
      norms,
      docsWithField,
      sumOfLengths,
    }
  }

  /** `order.starts[t]`: where the occurrences of term t begin in `order.occurrences`. */
  function toPostings(order: TermOrder, termCount: number) {
    const { starts, occurrences } = order
    const start = new Int32Array(termCount + 1)
    const postingDocs = new Int32Array(occurrences.length)
    const posOffset = new Int32Array(occurrences.length + 1)
    const sortedPositions = new Int32Array(occurrences.length)
    let posting = -1
    for (let term = 0; term < termCount; term++) {
      let lastDoc = -1
      start[term] = posting + 1
      for (let i = starts[term]!; i < starts[term + 1]!; i++) {
        const occurrence = occurrences[i]!
        const doc = docs.values[occurrence]!
        if (doc !== lastDoc) {
          posting++
          postingDocs[posting] = lastDoc = doc
          posOffset[posting] = i
        }
        sortedPositions[i] = positions.values[occurrence]!
      }
    }
    const count = posting + 1
    start[termCount] = count
    posOffset[count] = occurrences.length
    return {
      postings: { start, docs: postingDocs.slice(0, count) },
      posOffset: posOffset.slice(0, count + 1),
      positions: sortedPositions,
    }
  }
}

interface TermOrder {
  readonly starts: Int32Array
  readonly occurrences: Int32Array
}

/** Stable counting sort of occurrences by the ordinal of their term. */
function byTerm(terms: { length: number; values: Int32Array }, ordinalOf: Int32Array): TermOrder {
  const starts = new Int32Array(ordinalOf.length + 1)
  for (let i = 0; i < terms.length; i++) starts[ordinalOf[terms.values[i]!]! + 1]!++
  sumUp(starts)
  const next = starts.slice()
  const occurrences = new Int32Array(terms.length)
  for (let i = 0; i < terms.length; i++) {
    const ordinal = ordinalOf[terms.values[i]!]!
    occurrences[next[ordinal]!++] = i
  }
  return { starts, occurrences }
}
