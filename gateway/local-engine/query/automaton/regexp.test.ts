import { expect, test } from 'vitest'
import { createRegexpMatcher } from './regexp.ts'

const matches = (pattern: string, text: string) =>
  createRegexpMatcher(pattern)(Array.from(text, (char) => char.codePointAt(0)!))

test.each([
  ['dr(y|aw|ops).*', 'drawing', true],
  ['dr(y|aw|ops).*', 'dream', false],
  ['a{2,3}', 'a', false],
  ['a{2,3}', 'aaa', true],
  ['a{2,3}', 'aaaa', false],
  ['a{2,}b?', 'aaaaab', true],
  ['a{2}', 'aa', true],
  ['[a-c^]+', 'ab^', true],
  ['[^a-c]', 'd', true],
  ['[^a-c]', 'b', false],
  ['.', '\u{1F600}', true],
  ['"a.b"', 'a.b', true],
  ['"a.b"', 'axb', false],
  [String.raw`a\.b`, 'a.b', true],
  [String.raw`a\.b`, 'axb', false],
  ['', '', true],
  ['a|', '', true],
  ['abc', 'abcd', false],
])('%s against %s is %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected)
})

test('a pattern that makes others go back forever is read once', () => {
  expect(matches('(a*)*(a*)*(a|aa)*b', 'a'.repeat(5000))).toBe(false)
})

test.each([
  ['a(b', 'expected [)]'],
  ['[a', 'expected []]'],
  ['*a', 'repeats nothing'],
  ['a)', 'unexpected [)]'],
  ['a{x}', 'none of {n}'],
  ['a~b', 'not supported'],
  ['x'.repeat(1001), 'exceeded the allowed maximum'],
  ['(((.{99}){99}){99})', 'more than 10000 states'],
])('%s is refused: %s', (pattern, reason) => {
  expect(() => createRegexpMatcher(pattern)).toThrow(reason)
})
