import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isFloat } from '../json/values.ts'
import { readDocument } from '../mapping/document.ts'
import { createFieldLookup } from '../mapping/lookup.ts'
import { parseMapping } from '../mapping/parse.ts'
import { createSegmentBuilder } from '../segment/build.ts'
import { decodeSegment, encodeSegment } from '../segment/format.ts'
import { mergeSegments } from '../segment/merge.ts'
import type { LiveSegment } from '../segment/segment.ts'
import { executeSearch } from './phase.ts'
import type { SearchTarget } from './target.ts'

const root = join(import.meta.dirname, '../../..')
const golden = join(root, 'test/fixtures/local-engine/golden')

interface GoldenQuery {
  readonly name: string
  readonly kind?: string
  readonly query: object
  readonly size?: number
  readonly total: number
  readonly hits: readonly (readonly [id: string, score: number])[]
}

interface Collection {
  readonly name: string
  /** The folder with the mapping, when it is another's. */
  readonly index?: string
  /** A `_bulk` body. */
  readonly documents: string
  /** Names of queries that need what is not built yet, with what that is. */
  readonly leftOut: Readonly<Record<string, string>>
}

const collections: readonly Collection[] = [
  {
    name: 'sample',
    documents: join(golden, 'sample/docs.ndjson'),
    leftOut: {
      'match: edge n-grams, other analyzer for searching': 'custom analyzers',
      'match: folded characters': 'custom analyzers',
      'match: analyzer given, synonyms': 'custom analyzers',
      boosting: 'the boosting query',
    },
  },
  { name: 'movies', documents: join(root, 'samples/data/movies.ndjson'), leftOut: {} },
  ...['cross-fields', 'nested'].map((name) => ({
    name,
    index: 'movies',
    documents: join(root, 'samples/data/movies.ndjson'),
    leftOut: {},
  })),
]

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    // Fixtures, written by the oracle or read by it.
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Custom analyzers are not built yet: their fields are left out of the mapping. */
function withoutCustomAnalyzers(properties: Record<string, unknown>): Record<string, unknown> {
  const known = new Set([undefined, 'standard', 'english'])
  return Object.fromEntries(
    Object.entries(properties as Record<string, Record<string, unknown>>)
      .filter(([, own]) => known.has(own.analyzer as string | undefined))
      .map(([name, own]) => [
        name,
        {
          ...own,
          ...(own.fields !== undefined && {
            fields: withoutCustomAnalyzers(own.fields as Record<string, unknown>),
          }),
          ...(own.properties !== undefined && {
            properties: withoutCustomAnalyzers(own.properties as Record<string, unknown>),
          }),
        },
      ]),
  )
}

/** The collection as an index of about so many segments. */
function loadTarget(
  { name, index: folder = name, documents }: Collection,
  segmentCount: number,
): SearchTarget {
  const index = JSON.parse(readFileSync(join(golden, folder, 'index.json'), 'utf8')) as {
    mappings: { properties: Record<string, unknown> }
  }
  const mapping = parseMapping({ properties: withoutCustomAnalyzers(index.mappings.properties) })
  const fields = createFieldLookup(mapping)
  const lines = linesOf(documents)
  const sources = lines.filter((_, i) => i % 2 === 1)
  const ids = lines
    .filter((_, i) => i % 2 === 0)
    .map((action) => (action.index as { _id: string })['_id'])
  const segments: LiveSegment[] = []
  const perSegment = Math.ceil(sources.length / segmentCount)
  for (let start = 0; start < sources.length; start += perSegment) {
    const builder = createSegmentBuilder()
    for (let row = start; row < Math.min(start + perSegment, sources.length); row++)
      builder.add(row, readDocument(mapping, sources[row], ids[row]!).fields)
    segments.push(builder.seal())
  }
  return {
    index: name,
    snapshot: { segments },
    fields,
    idToRow: (id) => (ids.includes(id) ? ids.indexOf(id) : undefined),
    fetch: (rows) =>
      rows.map((row) => ({
        id: ids[row]!,
        source: Buffer.from(JSON.stringify(sources[row])),
        version: 1,
        seqNo: row,
      })),
  }
}

function mergedTarget(target: SearchTarget): SearchTarget {
  const { segment } = mergeSegments(target.snapshot.segments)
  // Through the bytes on disk, so that these are proven as well.
  const reopened = decodeSegment(encodeSegment(segment))
  const live = { segment: reopened, live: null, liveCount: reopened.docCount }
  return { ...target, snapshot: { segments: [live] } }
}

/** Puts ids of equal scores in one order: only among these may they differ. */
const byScore = (hits: readonly (readonly [string, number])[]) =>
  hits.toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || (a < b ? -1 : 1))

async function answer(target: SearchTarget, { query, size }: GoldenQuery) {
  const { hits } = await executeSearch([target], {
    query,
    size: size ?? 10,
    track_total_hits: true,
  })
  const list = hits.hits as { _id: string; _score: unknown }[]
  return {
    total: (hits.total as { value: number }).value,
    hits: list.map((hit): [string, number] => [
      hit['_id'],
      isFloat(hit['_score']) ? hit['_score'].float : Number.NaN,
    ]),
  }
}

/** What differs from the recorded answer, or undefined. */
async function difference(target: SearchTarget, query: GoldenQuery) {
  const ours = await answer(target, query)
  const theirs = query.hits.map(([id, score]) => [id, Math.fround(score)] as const)
  const last = theirs.at(-1)?.[1]
  const comparable = (hits: readonly (readonly [string, number])[]) =>
    // Which of several equal last hits are shown depends on the order of segments.
    byScore(hits).map(([id, score]) => (score === last ? ['any', score] : [id, score]))
  const isSame =
    ours.total === query.total &&
    JSON.stringify(comparable(ours.hits)) === JSON.stringify(comparable(theirs))
  return isSame
    ? undefined
    : { query: query.query, ours, theirs: { total: query.total, hits: theirs } }
}

describe.each(collections)('golden results of $name', (collection) => {
  const queries = linesOf(join(golden, collection.name, 'golden.jsonl')) as unknown as GoldenQuery[]
  const asked = queries.filter(({ name }) => !(name in collection.leftOut))
  const seven = loadTarget(collection, 7)

  test.each([
    ['one segment', loadTarget(collection, 1)],
    ['seven segments', seven],
    ['seven segments merged', mergedTarget(seven)],
  ])('are the same bit for bit from %s', async (_, target) => {
    const different = []
    for (const query of asked) different.push(await difference(target, query))
    expect(different.filter((one) => one !== undefined)).toEqual([])
  })

  test('are all asked but those that are left out by name', () => {
    expect(queries.length - asked.length).toBe(Object.keys(collection.leftOut).length)
    expect(asked.length).toBeGreaterThan(50)
  })
})
