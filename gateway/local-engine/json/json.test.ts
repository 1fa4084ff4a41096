import { assert, constantFrom, json, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { createPositions, parseJson, parseJsonText } from './parse.ts'
import { float32, float64, raw } from './values.ts'
import { writeJson } from './write.ts'

const written = (value: unknown, pretty = false) => writeJson(value, pretty).toString()

test('reads what JSON.parse reads, with the same result', () => {
  assert(
    property(json(), (json) => {
      const value = JSON.parse(json, (_key, value: unknown, { source }) =>
        Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
          ? BigInt(source)
          : value,
      )
      expect(parseJson(Buffer.from(json))).toStrictEqual(value)
    }),
  )
})

test('refuses what JSON.parse refuses', () => {
  assert(
    property(
      json(),
      nat(),
      constantFrom(...Array.from('{}[]",:\\1e.-tn ')),
      (json, where, char) => {
        const cut = where % (json.length + 1)
        const changed = json.slice(0, cut) + char + json.slice(cut)
        let refused = false
        try {
          JSON.parse(changed)
        } catch {
          refused = true
        }
        if (refused) expect(() => parseJsonText(changed)).toThrow(/line \d+, column \d+/)
      },
    ),
    { numRuns: 2000 },
  )
})

test('integers beyond 2^53 keep their digits', () => {
  const source = '{"id":9223372036854775807,"small":9007199254740991,"negative":-9007199254740993}'
  const value = parseJsonText(source)
  expect(value).toEqual({
    id: 9223372036854775807n,
    small: 9007199254740991,
    negative: -9007199254740993n,
  })
  expect(written(value)).toBe(source)
})

test('numbers keep their text when asked, so that writing changes nothing', () => {
  const source = '{"a":1.0,"b":1e3,"c":0.1,"d":123456789012345678901234567890,"e":-0,"f":[1.50]}'
  expect(written(parseJsonText(source, { keepNumberText: true }))).toBe(source)
})

test.each([
  ['{"a":1,"a":2}', "Duplicate field 'a' at line 1, column 8"],
  [
    '{"a":1,\n "b":}',
    "Unexpected character ('}' (code 125)): expected a value at line 2, column 6",
  ],
  ['{"a":', 'Unexpected end-of-input: expected a value at line 1, column 6'],
  ['{"a":01}', 'Invalid numeric value: Leading zeroes not allowed at line 1, column 6'],
  ['{"a":1} {', "Unexpected character ('{' (code 123)): expected the end of the body"],
  [
    '['.repeat(1001),
    'Document nesting depth (1001) exceeds the maximum allowed (1000) at line 1, column 1001',
  ],
])('says where a mistake is: %s', (source, message) => {
  expect(() => parseJsonText(source)).toThrow(message)
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8')
})

test('a key called __proto__ is a key', () => {
  const value = parseJsonText('{"__proto__":{"a":1}}')
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(written(value)).toBe('{"__proto__":{"a":1}}')
})

test.each([
  [float32(18.781435), '18.781435'],
  [float32(1), '1.0'],
  [float32(0), '0.0'],
  [float32(0.1), '0.1'],
  [float32(16777216), '1.6777216E7'],
  [float32(36.4765625), '36.476562'],
  [float32(-36.4765625), '-36.476562'],
  [float32(18.1484375), '18.148438'],
  [float64(0.1 + 0.2), '0.30000000000000004'],
  [float64(12345678), '1.2345678E7'],
  [float64(0.0001), '1.0E-4'],
  [float64(9999999), '9999999.0'],
  [float64(-2.5), '-2.5'],
])('floats are written as the engine writes them: %j', (value, expected) => {
  expect(written(value)).toBe(expected)
})

test('raw bytes are copied and undefined members left out', () => {
  const source = Buffer.from('{"ü": 1.0 }')
  expect(written({ a: undefined, _source: raw(source), b: [raw('2.50')] })).toBe(
    '{"_source":{"ü": 1.0 },"b":[2.50]}',
  )
})

test('pretty output indents raw JSON too and keeps its numbers', () => {
  expect(written({ a: raw('{"b":1.0}'), c: [], d: {} }, true)).toBe(
    '{\n  "a" : {\n    "b" : 1.0\n  },\n  "c" : [ ],\n  "d" : { }\n}\n',
  )
})

test('says where an object of a body begins', () => {
  const bytes = Buffer.from('{"2":1,\n "1":{"b":[{}]}}')
  const value = parseJson(bytes) as { 1: { b: object[] } }
  const positionOf = createPositions(bytes, value)
  expect(positionOf(value[1])).toEqual({ line: 2, col: 6 })
  expect(positionOf(value[1].b[0]!)).toEqual({ line: 2, col: 12 })
  expect(positionOf({})).toBeUndefined()
})

test('says where names, values and closing brackets stand', () => {
  const bytes = Buffer.from('{"a": [1, {}],\n "b" : null }')
  // Safe: what the line above writes.
  const value = parseJson(bytes) as { a: unknown[] }
  const positionOf = createPositions(bytes, value)
  expect(positionOf(value, { name: 'b' })).toEqual({ line: 2, col: 2 })
  expect(positionOf(value, { value: 'b' })).toEqual({ line: 2, col: 8 })
  expect(positionOf(value, 'end')).toEqual({ line: 2, col: 13 })
  expect(positionOf(value.a, { value: 1 })).toEqual({ line: 1, col: 11 })
  expect(positionOf(value.a, 'end')).toEqual({ line: 1, col: 13 })
  expect(positionOf(value, { name: 'c' })).toBeUndefined()
})
