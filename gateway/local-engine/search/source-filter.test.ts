import { expect, test } from 'vitest'
import { createSourceFilter, readSourceFilter } from './source-filter.ts'

const source =
  '{ "b": 1.00, "a": {"x": 9007199254740993, "y": [1, {"z": "q\\"}", "w": null}]}, "list": [{"x": 1}, {"y": 2}], "a.b": true, "e": {} }'

const filtered = (value: unknown) => {
  const filter = createSourceFilter(readSourceFilter({ _source: value }))
  return filter ? filter(Buffer.from(source)) : 'as it is'
}

test.each([
  [true, 'as it is'],
  ['b', '{"b":1.00}'],
  [['a.x'], '{"a":{"x":9007199254740993}}'],
  ['a.y.z', String.raw`{"a":{"y":[{"z":"q\"}"}]}}`],
  ['*.x', '{"a":{"x":9007199254740993},"list":[{"x":1}]}'],
  ['e', '{"e":{}}'],
  ['none', '{}'],
  [{ excludes: ['a', 'list', 'a.b'] }, '{"b":1.00,"e":{}}'],
  [{ excludes: ['*x', '*y'] }, '{"b":1.00,"a":{},"list":[{},{}],"a.b":true,"e":{}}'],
  [{ includes: ['a'], excludes: ['a.y'] }, '{"a":{"x":9007199254740993},"a.b":true}'],
])('%j keeps order and characters', (value, expected) => {
  expect(filtered(value)).toBe(expected)
})

test('what is both in and out is refused by name', () => {
  expect(() => readSourceFilter({ _source: { includes: ['a'], excludes: ['a'] } })).toThrow('[a]')
})
