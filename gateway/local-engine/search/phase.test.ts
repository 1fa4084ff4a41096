import { describe, expect, test } from 'vitest'
import { makeSearchTarget } from '../../../test/support/search-target.ts'
import { PROFILES } from '../config.ts'
import { writeJson } from '../json/write.ts'
import { countDocuments } from './count.ts'
import { executeSearch } from './phase.ts'
import type { SearchParams, SearchTarget } from './target.ts'

const properties = {
  title: { type: 'text' },
  kind: { type: 'keyword' },
  price: { type: 'double' },
  stock: { type: 'long' },
  sold: { type: 'boolean' },
  made: { type: 'date' },
}
const documents = [
  [
    'a',
    '{"title":"red tea pot","kind":"pot","price":2.5,"stock":9007199254740993,"made":"2024-01-05"}',
  ],
  ['b', '{"title":"green tea","kind":["tea","leaf"],"price":10,"stock":3,"sold":true}'],
  ['c', '{"title":"red tea, green tea","price":[1,7.25],"stock":9007199254740992,"sold":false}'],
  ['d', '{"title":"cup","kind":"cup","stock":-4,"made":"2023-12-31T23:59:59Z"}'],
] as const
const things = makeSearchTarget({ properties, documents })
const split = makeSearchTarget({ properties, documents, perSegment: 1 })

/** The answer as it goes over the wire, without the time it took. */
async function search(body: unknown, params?: SearchParams, targets: SearchTarget[] = [things]) {
  const { took: _, ...answer } = await executeSearch(targets, body, params)
  return writeJson(answer).toString()
}

interface PlainHit {
  _id: string
  sort?: unknown[]
  _source?: unknown
}
async function hitsOf(body: unknown, targets?: SearchTarget[]): Promise<PlainHit[]> {
  const answer = JSON.parse(await search(body, {}, targets)) as { hits: { hits: PlainHit[] } }
  return answer.hits.hits
}
const idsOf = async (body: unknown, targets?: SearchTarget[]) =>
  (await hitsOf(body, targets)).map((hit) => hit['_id']).join('')

test('an answer has the shape and the bytes of the engine', async () => {
  expect(await search({ query: { term: { kind: 'cup' } } })).toBe(
    '{"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},' +
      '"hits":{"total":{"value":1,"relation":"eq"},"max_score":1.0,"hits":[' +
      '{"_index":"things","_id":"d","_score":1.0,"_source":' +
      '{"title":"cup","kind":"cup","stock":-4,"made":"2023-12-31T23:59:59Z"}}]}}',
  )
})

test('the legacy profile adds the type and scores 2.2 times as high', async () => {
  const body = { query: { match: { title: 'cup' } }, _source: false }
  const scoreOf = (text: string) => Number(/"_score":([\d.]+)/.exec(text)?.[1])
  const legacy = await search(body, { profile: PROFILES.legacy })
  expect(legacy).toContain('"_type":"_doc"')
  expect(scoreOf(legacy) / scoreOf(await search(body))).toBeCloseTo(2.2, 5)
})

describe.each([
  ['one segment', things],
  ['a segment a document', split],
])('sorting over %s', (_, target) => {
  test.each([
    ['price asc takes the smallest value', [{ price: 'asc' }], 'cabd'],
    ['price desc takes the largest value', [{ price: 'desc' }], 'bcad'],
    ['missing first', [{ price: { order: 'asc', missing: '_first' } }], 'dcab'],
    ['missing as a value', [{ price: { order: 'asc', missing: 5 } }], 'cadb'],
    ['the largest value although ascending', [{ price: { order: 'asc', mode: 'max' } }], 'acbd'],
    ['keywords by code point, missing last', ['kind'], 'dbac'],
    ['keywords, missing as a value', [{ kind: { order: 'desc', missing: 'm' } }], 'bacd'],
    ['integers beyond 2^53 exactly', [{ stock: 'desc' }], 'acbd'],
    ['booleans', ['sold', { _doc: 'desc' }], 'cbda'],
    ['dates', [{ made: 'desc' }, 'stock'], 'adbc'],
    ['order of indexing, backwards', [{ _doc: 'desc' }], 'dcba'],
    ['an unmapped field', [{ nowhere: { unmapped_type: 'long' } }, { stock: 'asc' }], 'dbca'],
  ])('%s', async (_name, sort, expected) => {
    expect(await idsOf({ sort }, [target])).toBe(expected)
  })

  test.each([
    ['price', [{ price: 'asc' }], [2.5], 'bd'],
    ['kind', ['kind'], ['m'], 'ac'],
    ['stock', [{ stock: 'desc' }], [9007199254740993n], 'cbd'],
  ])('goes on after a value of %s', async (_name, sort, after, expected) => {
    expect(await idsOf({ sort, search_after: after }, [target])).toBe(expected)
  })
})

test('sort values are shown as the engine shows them', async () => {
  const text = await search({
    sort: [{ price: 'asc' }, { stock: 'asc' }, { made: 'asc' }, 'kind', 'sold'],
    _source: false,
  })
  expect([...text.matchAll(/"sort":(\[[^\]]*\])/g)].map((match) => match[1])).toEqual([
    '[1.0,9007199254740992,9223372036854775807,null,0]',
    '[2.5,9007199254740993,1704412800000,"pot",9223372036854775807]',
    '[10.0,3,9223372036854775807,"leaf",1]',
    '["Infinity",-4,1704067199000,"cup",9223372036854775807]',
  ])
})

test('several indices merge by score, then in their order', async () => {
  const other = makeSearchTarget({ index: 'others', properties, documents })
  const body = { query: { constant_score: { filter: { match: { title: 'cup' } } } } }
  const answer = JSON.parse(await search(body, {}, [other, things])) as {
    _shards: { total: number }
    hits: { hits: { _index: string }[] }
  }
  expect(answer.hits.hits.map((hit) => hit['_index'])).toEqual(['others', 'things'])
  expect(answer['_shards'].total).toBe(2)
  expect(await idsOf({ sort: [{ stock: 'asc' }], size: 3, from: 1 }, [other, things])).toBe('dbb')
})

test('replaced documents are no hits, but count in the statistics until they are merged', async () => {
  const withDead = makeSearchTarget({ properties, documents, dead: ['a'] })
  const body = { query: { match: { title: 'red' } } }
  expect(await idsOf(body, [withDead])).toBe('c')
  expect(await countDocuments([withDead], body)).toMatchObject({ count: 1 })
  const scoreOf = (text: string) => /"_id":"c","_score":([\d.]+)/.exec(text)?.[1]
  expect(scoreOf(await search(body, {}, [withDead]))).toBe(scoreOf(await search(body)))
})

test.each([
  ['cut at a number', { track_total_hits: 2 }, '{"value":2,"relation":"gte"}'],
  ['exact at the number', { track_total_hits: 4 }, '{"value":4,"relation":"eq"}'],
  ['exact', { track_total_hits: true }, '{"value":4,"relation":"eq"}'],
])('totals are %s', async (_, body, total) => {
  expect(await search({ ...body, size: 0 })).toContain(`"total":${total}`)
})

test('totals can be left out, or be a number', async () => {
  expect(await search({ size: 0, track_total_hits: false })).not.toContain('"total":{')
  expect(await search({ size: 0 }, { totalHitsAsInt: true })).toContain('"hits":{"total":4,')
})

test('a filter behind the query hides hits, but not from aggregations', async () => {
  const text = await search({
    query: { match: { title: 'tea' } },
    post_filter: { term: { sold: true } },
    aggs: { all: { value_count: { field: 'stock' } } },
    _source: false,
  })
  expect(text).toContain('"total":{"value":1,"relation":"eq"}')
  expect(text).toContain('"aggregations":{"all":{"value":3}}')
})

test('hits below the least score are none', async () => {
  const scores = /"_score":[\d.]+/g
  const all = await search({ query: { match: { title: 'red tea' } }, _source: false })
  const best = Number(/"max_score":([\d.]+)/.exec(all)?.[1])
  const text = await search({ query: { match: { title: 'red tea' } }, min_score: best })
  expect(all.match(scores)?.length).toBe(3)
  expect(text.match(scores)?.length).toBe(1)
})

test('versions and sequence numbers stand before the score', async () => {
  const body = { query: { ids: { values: ['b'] } }, version: true, seq_no_primary_term: true }
  expect(await search({ ...body, _source: false })).toContain(
    '{"_index":"things","_id":"b","_version":2,"_seq_no":1,"_primary_term":1,"_score":1.0}',
  )
})

test('a search whose client is gone before it begins does not run', async () => {
  const reason = new Error('the client is gone')
  await expect(
    executeSearch([things], { query: { match_all: {} } }, { signal: AbortSignal.abort(reason) }),
  ).rejects.toThrow('the client is gone')
})

test('a search that runs ends with its signal', async () => {
  const many = makeSearchTarget({
    properties: { n: { type: 'long' } },
    documents: Array.from({ length: 20_000 }, (_, n) => [`${n}`, `{"n":${n}}`] as const),
    perSegment: 1,
  })
  const gone = new AbortController()
  const running = executeSearch([many], { sort: [{ n: 'desc' }] }, { signal: gone.signal })
  // The search hands over to the event loop when its slice is over; this comes in between.
  setImmediate(() => gone.abort(new Error('the client is gone')))
  await expect(running).rejects.toThrow('the client is gone')
})

test('a search that takes too long answers with what it has found', async () => {
  const many = makeSearchTarget({
    properties: { n: { type: 'long' } },
    documents: Array.from({ length: 20_000 }, (_, n) => [`${n}`, `{"n":${n}}`] as const),
    perSegment: 1,
  })
  const body = { timeout: '1ms', size: 1, sort: [{ n: 'desc' }] }
  const answer = await executeSearch([many], body)
  expect(answer.timed_out).toBe(true)
})

test.each([
  ['a window too large', { from: 9_999, size: 2 }, 'Result window is too large'],
  ['search_after without a sort', { search_after: [1] }, 'Sort must contain at least one field.'],
  ['search_after of another length', { sort: ['_doc'], search_after: [1, 2] }, 'has 2 value(s)'],
  ['a sort by text', { sort: ['title'] }, 'Text fields are not optimised'],
  [
    'a sort by nothing',
    { sort: ['nowhere'] },
    'No mapping found for [nowhere] in order to sort on',
  ],
  ['an unknown part', { querry: {} }, 'Unknown key for a START_OBJECT in [querry].'],
  ['a part it has not', { highlight: {} }, '[highlight] of a search is not supported'],
  ['a negative size', { size: -5 }, '[size] parameter cannot be negative'],
  ['a timeout without unit', { timeout: '5' }, 'failed to parse setting [timeout]'],
])('%s is refused', async (_, body, reason) => {
  await expect(executeSearch([things], body)).rejects.toThrow(reason)
})
