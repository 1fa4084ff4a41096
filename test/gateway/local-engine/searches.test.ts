import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEngine, type TestEngine } from './engine.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await startEngine()
  await engine.send('PUT', '/a/_doc/1?refresh=true', { k: 'x', n: 1 })
})
afterAll(() => engine[Symbol.asyncDispose]())

const lines = (...all: object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const ALL = { size: 0 }

describe('several searches of which one cannot be read are refused as a whole', () => {
  test.each([
    ['an unknown query', { query: { no_such: {} } }, 'unknown query [no_such]'],
    ['an unknown part', { no_such: 1 }, 'Unknown key for a VALUE_NUMBER in [no_such].'],
    ['a negative size', { size: -1 }, '[size] parameter cannot be negative, found [-1]'],
    ['an aggregation', { aggs: { x: { no_such: {} } } }, 'Unknown aggregation type [no_such]'],
    [
      'a query in an aggregation',
      { aggs: { x: { filter: { no_such: {} } } } },
      'unknown query [no_such]',
    ],
    ['a filter after aggregating', { post_filter: { no_such: {} } }, 'unknown query [no_such]'],
  ])('%s', async (_, bad, reason) => {
    const body = lines({}, ALL, { index: 'nowhere' }, bad)
    const answer = await engine.send('POST', '/a/_msearch', body)
    expect(answer).toMatchObject({ status: 400, body: { error: { reason } } })
  })

  test('a body that does not end with a line feed', async () => {
    const answer = await engine.send('POST', '/a/_msearch', lines({}, ALL, {}, ALL).trimEnd())
    expect(answer.body.error.reason).toBe(
      'The msearch request must be terminated by a newline [\n]',
    )
  })
})

test('several searches: what an index makes wrong is an error of that search alone', async () => {
  const bad = [
    { query: { range: { n: { gte: 'x' } } } },
    { search_after: [1] },
    { from: 9_999, size: 2 },
    { query: { percolate: {} } },
  ]
  const body = lines({}, ALL, ...bad.flatMap((one) => [{}, one]))
  const { body: answer } = await engine.send('POST', '/a/_msearch', body)
  const types = answer.responses.map(({ error }: { error?: { type: string } }) => error?.type)
  expect(types).toEqual([
    undefined,
    'search_phase_execution_exception',
    'search_phase_execution_exception',
    'search_phase_execution_exception',
    'unsupported_feature_exception',
  ])
})

test.each([
  ['/a/_search', { size: -1 }, '[size] parameter cannot be negative, found [-1]'],
  ['/a/_search', { from: -1 }, '[from] parameter cannot be negative, found [-1]'],
  ['/a/_search?size=-1', {}, '[size] parameter cannot be negative, found [-1]'],
  ['/no*/_search', { query: { no_such: {} } }, 'unknown query [no_such]'],
])(
  'bad input is refused whether or not an index is searched: %s %j',
  async (path, body, reason) => {
    expect(await engine.send('POST', path, body)).toMatchObject({
      status: 400,
      body: { error: { reason } },
    })
  },
)

test('typed keys: names of aggregations begin with their type', async () => {
  const aggs = { keys: { terms: { field: 'k.keyword' } }, none: { terms: { field: 'nowhere' } } }
  const one = await engine.send('POST', '/a/_search?typed_keys', { aggs })
  const [several] = (await engine.send('POST', '/a/_msearch?typed_keys', lines({}, { aggs }))).body
    .responses
  for (const { aggregations } of [one.body, several])
    expect(Object.keys(aggregations)).toEqual(['sterms#keys', 'sterms#none'])
})
