import { expect, test } from 'vitest'
import { GatewayError } from '../errors.ts'
import { parseRequest } from './parse-request.ts'

function refusal(body: unknown) {
  try {
    parseRequest(typeof body === 'string' ? body : JSON.stringify(body))
  } catch (error) {
    if (error instanceof GatewayError) return `${error.status} ${error.code} ${error.message}`
    throw error
  }
  return 'taken'
}

test('a wrong type is refused, naming the query and the property', () => {
  expect(refusal({ query: [{ id: 'a' }, { id: 'b', size: 'ten' }] })).toBe(
    '400 DECLARATIVE_INVALID Query "b", property "size": expected number, received string',
  )
  expect(refusal({ query: [{ type: 'term', pagination: 1 }] })).toContain('Query number 1')
  expect(refusal({ query: [{ id: 'a', type: null }] })).toContain('property "type"')
  expect(refusal({ query: [{ id: 'a', endpoint: { headers: { x: 1 } } }] })).toContain(
    'property "endpoint.headers.x"',
  )
  expect(refusal({ query: [], settings: { customEvents: { a: 1 } } })).toContain(
    'The settings, property "customEvents.a": expected text or a list of texts',
  )
})

test('a query without id is told to have one', () => {
  expect(refusal({ query: [{ id: 'a' }, { dataField: 'x' }] })).toContain(
    'Query number 2 has no "id"',
  )
})

test.each([
  ['text that is no JSON', '{"query":', 'not valid JSON'],
  ['a list', '[]', 'must be an object'],
  ['a query that is no list', '{"query":{}}', '"query" must be a list'],
  ['a query that is text', '{"query":["a"]}', 'Query number 1 must be an object'],
  ['settings that are a list', '{"settings":[]}', '"settings" must be an object'],
  ['metadata that is text', '{"metadata":"a"}', '"metadata" must be an object'],
  ['a bottomless body', '{"query":' + '['.repeat(600) + ']'.repeat(600) + '}', 'deeper than 500'],
])('%s is refused', (_what, body, message) => {
  expect(refusal(body)).toContain(message)
})

test('names count in any case, unknown ones are left out, null counts as absent', () => {
  const request =
    '{"QUERY":[{"Id":"a","DATAFIELD":"t","calendarInterval":"1d","boost":3,"size":null}]}'
  expect(parseRequest(request)).toEqual({
    query: [{ id: 'a', dataField: 't', calendarinterval: '1d' }],
  })
})

test('sizes may be written as 1e1', () => {
  expect(parseRequest('{"query":[{"id":"a","size":1e1}]}').query[0]?.size).toBe(10)
})
