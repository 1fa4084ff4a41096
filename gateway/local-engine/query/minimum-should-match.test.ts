import { expect, test } from 'vitest'
import { minimumShouldMatch } from './minimum-should-match.ts'

test.each([
  ['3', 5, 3],
  ['-2', 5, 3],
  ['-7', 5, 0],
  ['75%', 5, 3],
  ['75%', 1, 0],
  ['-25%', 5, 4],
  ['-30%', 3, 3],
  ['100%', 3, 3],
  ['2<75%', 2, 2],
  ['2<75%', 5, 3],
  ['2<-25% 9<-3', 9, 7],
  ['2<-25% 9<-3', 12, 9],
  ['2 < 1', 3, 1],
  ['9', 3, 9],
])('%s of %i clauses are %i', (specification, optional, expected) => {
  expect(minimumShouldMatch(optional, specification)).toBe(expected)
})
