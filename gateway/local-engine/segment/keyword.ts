import type { FieldMapping } from '../mapping/field.ts'
import { packTerms, sortTerms } from './dictionary.ts'
import { createGrowingInts, push, sumUp } from './growing.ts'
import type { Dictionary, KeywordColumn, Postings } from './segment.ts'

/** Gathers one keyword or boolean field; documents come in ascending order. */
export function createKeywordAccumulator(mapping: FieldMapping) {
  const numbers = new Map<string, number>()
  const lastDoc = createGrowingInts()
  // One entry a distinct value of a document.
  const terms = createGrowingInts()
  const docs = createGrowingInts()
  let termBytes = 0

  return { add, seal, sizeBytes: () => terms.length * 16 + numbers.size * 64 + termBytes }

  function add(doc: number, values: readonly unknown[]): void {
    for (const value of values) {
      const text = mapping.type === 'boolean' ? (value ? 'T' : 'F') : String(value).toWellFormed()
      if (mapping.type === 'keyword' && text.length > mapping.ignoreAbove) continue
      let term = numbers.get(text)
      if (term === undefined) {
        numbers.set(text, (term = numbers.size))
        termBytes += text.length
        push(lastDoc, -1)
      }
      if (lastDoc.values[term] === doc) continue
      lastDoc.values[term] = doc
      push(terms, term)
      push(docs, doc)
    }
  }

  function seal(docCount: number): KeywordColumn {
    const sorted = sortTerms([...numbers.keys()])
    const start = new Int32Array(sorted.length + 1)
    const ordinalOf = new Int32Array(sorted.length)
    for (let i = 0; i < sorted.length; i++) ordinalOf[numbers.get(sorted[i]!)!] = i
    for (let i = 0; i < terms.length; i++) start[ordinalOf[terms.values[i]!]! + 1]!++
    sumUp(start)
    const next = start.slice()
    const postingDocs = new Int32Array(terms.length)
    for (let i = 0; i < terms.length; i++) {
      const ordinal = ordinalOf[terms.values[i]!]!
      postingDocs[next[ordinal]!++] = docs.values[i]!
    }
    return toKeywordColumn(packTerms(sorted), { start, docs: postingDocs }, docCount)
  }
}

/** A column from its postings: the ordinals of every document follow from them. */
export function toKeywordColumn(
  terms: Dictionary,
  postings: Postings,
  docCount: number,
): KeywordColumn {
  const { start, docs } = postings
  const ordStart = new Int32Array(docCount + 1)
  for (const doc of docs) ordStart[doc + 1]!++
  let docsWithField = 0
  for (let doc = 0; doc < docCount; doc++) if (ordStart[doc + 1] !== 0) docsWithField++
  sumUp(ordStart)
  const next = ordStart.slice()
  const ords = new Int32Array(docs.length)
  for (let term = 0; term < terms.count; term++)
    for (let i = start[term]!; i < start[term + 1]!; i++) ords[next[docs[i]!]!++] = term
  return { kind: 'keyword', terms, postings, ordStart, ords, docsWithField }
}
