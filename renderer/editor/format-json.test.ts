import { expect, test } from 'vitest'
import { formatJson } from './format-json.ts'

test('lays out nested values and keeps digits and escapes', () => {
  expect(formatJson('{"id":103195600828599841,"a":[1.0,"x: \\"y\\", {"],"e":{},"f":[]}')).toBe(
    `{
  "id": 103195600828599841,
  "a": [
    1.0,
    "x: \\"y\\", {"
  ],
  "e": {},
  "f": []
}`,
  )
})

test('leaves alone what is no JSON', () => {
  expect(formatJson('{"a":')).toBeUndefined()
  expect(formatJson('{"a":1}\n{"b":2}')).toBeUndefined()
})
