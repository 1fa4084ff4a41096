import { expect, test } from 'vitest'
import { parseRequest } from '../parse-request.ts'
import { translateRequest } from '../translate-request.ts'
import { foldResponses } from './fold-responses.ts'
import { renameIndices } from './rename-indices.ts'

const asked = (...ids: string[]) =>
  translateRequest(parseRequest(JSON.stringify({ query: ids.map((id) => ({ id })) })))

test('responses are copied character by character', () => {
  const first = '{ "n" : 1.0, "t":"}]\\"\\\\", "l":[[],{}], "u":"\\u00e9" }'
  const answer = ` { "responses" : [ ${first} , null ] , "took" : 12 , "more":[{"x":"]"}] } `
  expect(foldResponses(answer, asked('a', 'b "q"'))).toBe(
    `{"settings":{"took":12},"a":${first},"b \\"q\\"":null}`,
  )
})

test('no query, no answer', () => {
  expect(foldResponses('{"took":0,"responses":[]}', asked())).toBe('{"settings":{"took":0}}')
})

test.each(['', '[]', '{"responses":[{]}', '{"responses":[{},', '{"a" 1}', '{"a":}', '{"a":"'])(
  'an answer that breaks off or is none is the engine’s failure: %s',
  (answer) => {
    expect(() => foldResponses(answer, asked('a'))).toThrow('is not the JSON of a search')
  },
)

test('an alias takes the place of its index in hits of all kinds', () => {
  const aliases = new Map([['m-1', 'm']])
  const text =
    '{"hits":[{"_index":"m-1","_source":{"_index":"m-1"},"inner_hits":{"x":[{ "_index" : "m-1" }]}},' +
    '{"_index":"n"}],"aggs":{"_index":{"key":"_index","name":"m-1"}}}'
  expect(renameIndices(text, aliases)).toBe(
    text
      .replace('[{"_index":"m-1"', '[{"_index":"m"')
      .replace('"_index" : "m-1"', '"_index" : "m"'),
  )
})
