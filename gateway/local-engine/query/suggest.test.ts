import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

test.each([
  ['matches', ['match', 'term'], ' did you mean [match]?'],
  ['must_nt', ['must', 'should', 'must_not'], ' did you mean any of [must_not, must]?'],
  ['wild', ['field', 'size'], ' did you mean [field]?'],
  ['abc', ['xyz'], ''],
  ['x', [], ''],
])('%s is like these: %j', (name, known, expected) => {
  expect(suggest(name, known)).toBe(expected)
})
