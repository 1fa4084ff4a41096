import { describe, expect, test } from 'vitest'
import type { FieldMapping } from '../mapping/field.ts'
import { createSegmentBuilder } from './build.ts'
import { compareCodePoints, findTerm, encodeTerm, termText } from './dictionary.ts'
import { decodeSegment, encodeSegment } from './format.ts'
import { mergeSegments } from './merge.ts'
import { byteToLength, lengthToByte } from './norms.ts'
import type { LiveSegment, Segment } from './segment.ts'
import { segmentBytes } from './size.ts'

const mapping = (path: string, type: FieldMapping['type']): FieldMapping => ({
  path,
  type,
  index: true,
  docValues: true,
  analyzer: 'standard',
  searchAnalyzer: 'standard',
  norms: true,
  positionIncrementGap: 100,
  ignoreAbove: 20,
  format: '',
})
const title = mapping('title', 'text')
const tags = mapping('tags', 'keyword')
const price = mapping('price', 'double')

const documents = [
  ['the dog and the cat', ['pet', 'zoo'], [3]],
  ['cat', ['pet', 'pet'], [1, 0.5]],
  ['über \u{1F600} \u{10000} \uFF5E', ['\u{1F600}', '\uFF5E'], []],
  ['', [], [2]],
] as const

function segmentOf(which: readonly number[], dead: readonly number[] = []): LiveSegment {
  const builder = createSegmentBuilder()
  for (const number of which) {
    const [text, words, prices] = documents[number]!
    const doc = builder.add(number + 10, [
      [title, [text]],
      [tags, words],
      [price, prices],
    ])
    if (dead.includes(number)) builder.kill(doc)
  }
  return builder.seal()
}

/** Columns in their order of paths, which a merge may change. */
const plain = ({ docCount, rows, columns }: Segment) => ({
  docCount,
  rows,
  columns: Object.fromEntries([...columns].toSorted(([a], [b]) => (a < b ? -1 : 1))),
})

describe('a sealed segment', () => {
  const { segment, live, liveCount } = segmentOf([0, 1, 2, 3])

  test('has terms in the order of their bytes, not of UTF-16 units', () => {
    const column = segment.columns.get('tags')
    if (column?.kind !== 'keyword') throw new Error('tags is a keyword column')
    expect([0, 1, 2, 3].map((ordinal) => termText(column.terms, ordinal))).toEqual([
      'pet',
      'zoo',
      '\uFF5E',
      '\u{1F600}',
    ])
    expect(findTerm(column.terms, encodeTerm('\uFF5E'))).toBe(2)
    expect(findTerm(column.terms, encodeTerm('pets'))).toBe(-1)
    expect([...column.postings.start]).toEqual([0, 2, 3, 4, 5])
    expect([...column.ords]).toEqual([0, 1, 0, 2, 3])
  })

  test('has positions, norms and the statistics of BM25', () => {
    const column = segment.columns.get('title')
    if (column?.kind !== 'text') throw new Error('title is a text column')
    const the = findTerm(column.terms, encodeTerm('the'))
    const posting = column.postings.start[the]!
    expect([
      ...column.positions.subarray(column.posOffset[posting], column.posOffset[posting + 1]),
    ]).toEqual([0, 3])
    expect([column.docsWithField, column.sumOfLengths]).toEqual([3, 9])
    expect([...column.norms]).toEqual([5, 1, 3, 255])
  })

  test('has numbers by document and by value', () => {
    const column = segment.columns.get('price')
    if (column?.kind !== 'numeric') throw new Error('price is a numeric column')
    expect([...column.values]).toEqual([3, 0.5, 1, 2])
    expect([...column.sorted]).toEqual([1, 2, 3, 0])
    expect([...column.docOf]).toEqual([0, 1, 1, 3])
  })

  test('is alive as a whole unless a document was replaced', () => {
    expect([live, liveCount]).toEqual([null, 4])
    const killed = segmentOf([0, 1], [0])
    expect([killed.live, killed.liveCount]).toEqual([Uint8Array.of(0, 1), 1])
  })
})

describe('segments as bytes', () => {
  const { segment } = segmentOf([0, 1, 2, 3])
  const bytes = encodeSegment(segment)

  test.each([0, 1, 4])('read back as written when they lie at offset %i', (shift) => {
    const buffer = new Uint8Array(bytes.length + shift)
    buffer.set(bytes, shift)
    expect(plain(decodeSegment(buffer.subarray(shift)))).toEqual(plain(segment))
  })

  test('keep integers beyond 2^53', () => {
    const builder = createSegmentBuilder()
    builder.add(1, [[mapping('big', 'long'), [2n ** 62n, 5]]])
    const column = decodeSegment(encodeSegment(builder.seal().segment)).columns.get('big')
    expect(column?.kind === 'numeric' && [...column.values]).toEqual([5n, 2n ** 62n])
  })

  test('are refused when one bit is wrong, at any place', () => {
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = bytes.slice()
      damaged[at]! ^= 4
      expect(() => decodeSegment(damaged), `byte ${at}`).toThrow(/segment/)
    }
    expect(() => decodeSegment(bytes.subarray(0, bytes.length - 8))).toThrow('damaged')
    expect(() => decodeSegment(new Uint8Array(3))).toThrow('no segment')
  })

  test('count the bytes of their arrays', () => {
    expect(segmentBytes(segment)).toBeGreaterThan(400)
    expect(segmentBytes(segment)).toBeLessThan(bytes.length)
  })
})

describe('a merge', () => {
  test('gives the segment all documents together would have given', () => {
    const merged = mergeSegments([segmentOf([0, 1]), segmentOf([2]), segmentOf([3])])
    expect(plain(merged.segment)).toEqual(plain(segmentOf([0, 1, 2, 3]).segment))
    expect(merged.newDocs.map((docs) => [...docs])).toEqual([[0, 1], [2], [3]])
  })

  test('leaves dead documents and their terms out', () => {
    const merged = mergeSegments([segmentOf([0, 1, 2], [1, 2]), segmentOf([3])])
    expect(plain(merged.segment)).toEqual(plain(segmentOf([0, 3]).segment))
    expect(merged.newDocs.map((docs) => [...docs])).toEqual([[0, -1, -1], [1]])
  })
})

test('lengths in one byte are exact to 40 and coarse above', () => {
  const lengths = [0, 40, 41, 42, 47, 60, 100, 1000, 1_000_000]
  expect(lengths.map((length) => byteToLength(lengthToByte(length)))).toEqual([
    0, 40, 40, 42, 46, 60, 96, 984, 983_064,
  ])
})

test('code points order as their bytes do', () => {
  const terms = ['a', '', '\uD7FF', '\uE000', '\u{10000}', '\u{10FFFF}', 'ab']
  const byBytes = terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(terms.toSorted(compareCodePoints)).toEqual(byBytes)
})
