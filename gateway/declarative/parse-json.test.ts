import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNumeric, nestingDepth, parseJson, toDigits, toNumber } from './parse-json.ts'

test.each([
  '9007199254740993',
  '-12345678901234567890',
  '1.0',
  '2.50',
  '1e3',
  '1E-7',
  '-0',
  '0.0000001',
  '0.1234567890123456789',
  '1e400',
  '42',
  '0.5',
])('the number %s is written back as it was', (digits) => {
  const text = `{"a":[${digits}],"b":"${digits}"}`
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

test('any number is written back as it was', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,22})(\.[0-9]{1,22})?([eE][+-]?[0-9]{1,3})?$/)
  fc.assert(
    fc.property(digits, (number) => {
      expect(JSON.stringify(parseJson(`[${number}]`))).toBe(`[${number}]`)
    }),
  )
})

test('an exact number can be told, reckoned with and read', () => {
  const [exact, plain, text] = parseJson('[9007199254740993, 7, "7"]') as unknown[]
  expect([exact, plain, text].map(isNumeric)).toEqual([true, true, false])
  expect([exact, plain].filter(isNumeric).map(toDigits)).toEqual(['9007199254740993', '7'])
  expect([exact, plain].filter(isNumeric).map(toNumber)).toEqual([9007199254740992, 7])
})

test('depth counts brackets outside strings only', () => {
  expect(nestingDepth('{"a":["[[[\\"[[", {"b":1}]}')).toBe(3)
})
