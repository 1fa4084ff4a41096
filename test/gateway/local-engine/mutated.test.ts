import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEngine, type TestEngine } from './engine.ts'

const REQUESTS = 2_000

let engine: TestEngine
beforeAll(async () => {
  engine = await startEngine()
  await engine.send('PUT', '/m/_doc/1', { t: 'first', n: 1, f: 0.5, o: { k: 'x' } })
})
afterAll(() => engine[Symbol.asyncDispose]())

/** The same numbers in every run (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const search = (body: object) => ['POST', '/m/_search', JSON.stringify(body)] as const
const lines = (...objects: object[]) => objects.map((one) => `${JSON.stringify(one)}\n`).join('')

const GOOD: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/'],
  ['GET', '/m/_doc/1?_source=a,b&pretty'],
  ['GET', '/m/_mapping'],
  ['GET', '/_cat/indices?v&h=index,docs.count&s=index:desc'],
  ['GET', '/m*,-n/_count?ignore_unavailable=true'],
  [
    'GET',
    '/m/_search?size=3&from=1&sort=n:desc,_score&track_total_hits=true&filter_path=hits.**._id',
  ],
  ['POST', '/_analyze', '{"analyzer":"english","text":["Running dogs","x"]}'],
  [
    'PUT',
    '/m/_doc/1',
    '{"t":"some words","n":5,"d":"2024-01-01","f":1.5,"b":true,"o":{"k":["x",null]}}',
  ],
  ['PUT', '/m/_doc/2?if_seq_no=1&if_primary_term=1', '{"n":9223372036854775807}'],
  ['POST', '/m/_update/1', '{"doc":{"n":7,"o":{"z":1}},"doc_as_upsert":true,"detect_noop":false}'],
  [
    'PUT',
    '/m/_mapping',
    '{"properties":{"x":{"type":"date","format":"yyyy/MM/dd||epoch_millis"}}}',
  ],
  [
    'PUT',
    '/n',
    '{"settings":{"index":{"number_of_shards":2}},"mappings":{"properties":{"a":{"type":"keyword","ignore_above":5}}}}',
  ],
  ['POST', '/m/_mget', '{"ids":["1","2"]}'],
  [
    'POST',
    '/_bulk?refresh=true',
    lines(
      { index: { _index: 'm', _id: '3' } },
      { t: 'bulk words', n: 1 },
      { update: { _index: 'm', _id: '3' } },
      { doc: { n: 2 } },
      { delete: { _index: 'm', _id: '4' } },
    ),
  ],
  ['POST', '/_msearch', lines({ index: 'm' }, { query: { match_all: {} } }, {}, { size: 0 })],
  search({ query: { match: { t: { query: 'some words', operator: 'and', fuzziness: 'AUTO' } } } }),
  search({
    query: { multi_match: { query: 'some words', fields: ['t^2', 'o.k'], type: 'cross_fields' } },
  }),
  search({
    query: {
      bool: {
        must: [{ match_phrase: { t: { query: 'some words', slop: 1 } } }],
        filter: [{ range: { n: { gte: 1, lt: 1e3 } } }, { term: { b: true } }],
        should: [{ prefix: { t: 'so' } }, { wildcard: { t: 'w*s' } }, { fuzzy: { t: 'wordz' } }],
        must_not: { ids: { values: ['9'] } },
        minimum_should_match: '1<75%',
        boost: 2.5,
      },
    },
    sort: [{ n: { order: 'desc', missing: '_last' } }, '_score', '_doc'],
    track_total_hits: 5,
    _source: { includes: ['o.*'], excludes: ['t'] },
    min_score: 0.1,
  }),
  search({
    size: 0,
    aggs: {
      kinds: {
        terms: { field: 'o.k.keyword', size: 3 },
        aggs: { average: { avg: { field: 'n' } } },
      },
      days: { date_histogram: { field: 'd', calendar_interval: 'month' } },
      spread: { histogram: { field: 'n', interval: 5 } },
    },
  }),
  search({
    query: { range: { d: { gte: 'now-1y/d', lte: '2030-01-01||+1M/d', time_zone: '+01:00' } } },
  }),
  search({
    query: {
      dis_max: { queries: [{ term: { n: 5 } }, { exists: { field: 'f' } }], tie_breaker: 0.3 },
    },
  }),
]

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  '-1',
  '1e999',
  '""',
  '\\u0000',
  '\\ud800',
  '{}',
  '[]',
]
const WORDS = [
  'true',
  '99999999999999999999',
  '0.1',
  '"*"',
  '"now/d"',
  '"\\n"',
  '-0',
  '[[[]]]',
  '"__proto__"',
]

function mutateText(text: string, random: (below: number) => number) {
  const at = random(text.length + 1)
  const piece = PIECES[random(PIECES.length)] ?? ''
  switch (random(4)) {
    case 0:
      return text.slice(0, at) + piece + text.slice(at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random(8))
    case 2:
      return text.slice(0, at) + String.fromCodePoint(1 + random(0x2fff)) + text.slice(at + 1)
    default:
      return text + text.slice(at)
  }
}

/** Puts another value or name in the place of one: the result stays JSON, and means nonsense. */
function mutateValue(text: string, random: (below: number) => number) {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g)]
  const token = tokens[random(tokens.length)]
  if (!token) return text
  const other = tokens[random(tokens.length)]?.[0] ?? 'null'
  const isName = /^\s*:/.test(text.slice(token.index + token[0].length))
  const put = random(2) === 0 || isName ? other : (WORDS[random(WORDS.length)] ?? 'null')
  const fitting = isName && !put.startsWith('"') ? `"${put}"` : put
  return text.slice(0, token.index) + fitting + text.slice(token.index + token[0].length)
}

test(
  `${REQUESTS} mutated requests: refused or answered, never a failure of ours`,
  { timeout: 120_000 },
  async () => {
    const random = createRandom(20_261_121)
    for (const [method, path, body] of GOOD) {
      const { status } = await engine.send(method, path, body)
      expect([200, 201, 409], `${method} ${path} ${body}`).toContain(status)
    }
    const statuses = new Map<number, number>()
    for (let i = 0; i < REQUESTS; i++) {
      const [method, path, body] = GOOD[random(GOOD.length)] ?? ['GET', '/']
      let target: string = path
      let payload = body
      for (let times = 1 + random(3); times > 0; times--)
        if (payload === undefined || random(6) === 0)
          target = `/${mutateText(target.slice(1), random)}`
        else payload = random(2) === 0 ? mutateText(payload, random) : mutateValue(payload, random)
      const url = encodeURI(target.toWellFormed()).replaceAll('#', '%23')
      const { status, text } = await engine.send(method, url, payload?.toWellFormed())
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500 && status !== 501) throw new Error(`${method} ${url} ${payload}\n→ ${text}`)
    }
    // Both must be frequent, or the mutations test nothing.
    expect(statuses.get(400)).toBeGreaterThan(REQUESTS / 4)
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 20)
    expect((await engine.send('GET', '/_cluster/health')).status).toBe(200)
  },
)
