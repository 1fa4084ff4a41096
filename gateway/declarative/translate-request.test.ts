import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../errors.ts'
import { toAnswerPlan, withoutUnsent } from './answer-plan.ts'
import { parseRequest } from './parse-request.ts'
import { engineItems, toMsearch } from './to-msearch.ts'
import { translateRequest } from './translate-request.ts'
import { validateAnswer } from './validate-answer.ts'

const two = parseRequest('{"query":[{"id":"a","index":"other"},{"id":"b","type":"term"}]}')

test('_msearch has a header line and a query line for each query', () => {
  const lines = toMsearch(translateRequest(two, { clientIp: '10.0.0.1' })).split('\n')
  const [first = '', , third = ''] = lines
  expect(lines).toHaveLength(5)
  expect(JSON.parse(first)).toEqual({ preference: 'a_10.0.0.1', index: 'other' })
  expect(JSON.parse(third)).toEqual({ preference: 'b_10.0.0.1' })
})

test('ids do not change with userId or preference', () => {
  const request = parseRequest('{"query":[{"id":"a_b"}],"settings":{"userId":"x_y"}}')
  const [own] = engineItems(translateRequest(request))
  const [given] = engineItems(translateRequest(request, { preference: '_local' }))
  expect([own?.id, given?.id]).toEqual(['a_b', 'a_b'])
  expect([own?.preference, given?.preference]).toEqual(['a_b_x_y', '_local'])
})

test('numbers keep their digits on the way to the engine', () => {
  const value = '{"start":9007199254740993,"end":9007199254740995.50}'
  const body = `{"query":[{"id":"a","type":"range","dataField":"n","value":${value}}]}`
  expect(toMsearch(translateRequest(parseRequest(body)))).toContain(
    '{"gte":9007199254740993,"lte":9007199254740995.50}',
  )
})

test('a line a script took out of the _msearch has no answer to be found', () => {
  const translated = translateRequest(two)
  const [, , header, query] = toMsearch(translated).split('\n')
  const sentBy = (body: string) =>
    withoutUnsent(toAnswerPlan(translated), body).items.map(({ id }) => id)
  expect(sentBy(`${header}\n${query}\n`)).toEqual(['b'])
  expect(sentBy(toMsearch(translated))).toEqual(['a', 'b'])
})

test('validate lists ids in request order, and leaves out what is not executed', () => {
  const request = parseRequest(
    '{"query":[{"id":"far","endpoint":{"url":"https://x.example"}},{"id":"a"},' +
      '{"id":"off","execute":false},{"id":"away","execute":false,"endpoint":{"url":"https://y.example"}}]}',
  )
  const answer = validateAnswer(translateRequest(request), ['movies', 'b c'])
  expect(answer.map(({ id, endpoint }) => [id, endpoint.method, endpoint.url])).toEqual([
    ['far', 'POST', 'https://x.example'],
    ['a', 'POST', '/movies,b%20c/_search'],
  ])
})

const json = fc.jsonValue({ maxDepth: 3 })
const oneOf = (...values: unknown[]) => fc.constantFrom(...values)
const field = oneOf('title', 'price', { field: 'title', weight: 2 }, ['a', { field: 'b.keyword' }])
const ids = fc.constantFrom('a', 'b', 'c', 'd')
const react: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    ids,
    fc.array(fc.oneof(ids, tie('node')), { maxLength: 3 }),
    fc.record({ and: tie('node'), or: tie('node'), not: tie('node') }, { requiredKeys: [] }),
  ),
})).node
const query = fc.record(
  {
    id: ids,
    type: oneOf('search', 'suggestion', 'term', 'range', 'geo'),
    dataField: field,
    value: fc.oneof(
      json,
      fc.string(),
      fc.record({ start: oneOf(1, '2020-01-01'), end: oneOf(9, 'now', null) }),
    ),
    react: fc.record({ and: react, or: react, not: react }, { requiredKeys: [] }),
    queryFormat: oneOf('and', 'or', 'yyyy'),
    sortBy: oneOf('asc', 'desc', 'count'),
    sortField: json,
    aggregations: fc.array(oneOf('min', 'max', 'histogram', 'date-histogram')),
    range: fc.dictionary(fc.constantFrom('start', 'end', 'boost'), json),
    interval: fc.integer(),
    calendarinterval: fc.string(),
    size: fc.integer(),
    pagination: fc.boolean(),
    aggregationField: fc.string(),
    categoryField: fc.string(),
    categoryValue: json,
    nestedField: fc.string(),
    highlight: fc.boolean(),
    highlightConfig: fc.dictionary(fc.string(), json),
    showMissing: fc.boolean(),
    selectAllLabel: fc.string(),
    searchOperators: fc.boolean(),
    queryString: fc.boolean(),
    defaultQuery: fc.dictionary(fc.constantFrom('query', 'size', 'id', '__proto__'), json),
    customQuery: fc.dictionary(fc.constantFrom('query', 'sort', '__proto__'), json),
    execute: fc.boolean(),
    queryVector: fc.array(fc.float({ noNaN: true, noDefaultInfinity: true })),
    vectorDataField: fc.string(),
    endpoint: fc.record({ url: fc.string() }, { requiredKeys: [] }),
  },
  { requiredKeys: ['id'] },
)

test('any request of the right types is translated or refused as the user’s mistake', () => {
  let translated = 0
  fc.assert(
    fc.property(fc.array(query, { maxLength: 4 }), (queries) => {
      const request = parseRequest(JSON.stringify({ query: queries }))
      try {
        const lines = toMsearch(translateRequest(request)).trim().split('\n').filter(Boolean)
        for (const line of lines) JSON.parse(line)
        translated++
      } catch (error) {
        expect(error).toBeInstanceOf(GatewayError)
        expect(error).toMatchObject({ code: 'DECLARATIVE_INVALID', status: 400 })
      }
    }),
    { numRuns: 1000 },
  )
  expect(translated).toBeGreaterThan(100)
})
