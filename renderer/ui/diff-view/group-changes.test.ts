import { expect, test } from 'vitest'
import { groupChanges, sharedEnds } from './group-changes.ts'

test('changes are grouped by their first key, in order of appearance', () => {
  const groups = groupChanges([
    { kind: 'changed', path: ['response', 'code'] },
    { kind: 'added', path: ['es'] },
    { kind: 'changed', path: ['response', 'body'] },
  ])
  expect(groups.map(({ key, entries }) => [key, entries.length])).toEqual([
    ['response', 2],
    ['es', 1],
  ])
})

test.each([
  ['103195600828599841', '103195600828599840', { head: 17, tail: 0 }],
  ['"the matrix"', '"the new matrix"', { head: 5, tail: 7 }],
  ['aa', 'aaa', { head: 2, tail: 0 }],
  ['', 'x', { head: 0, tail: 0 }],
])('%s and %s share their ends and nothing twice', (before, after, ends) => {
  expect(sharedEnds(before, after)).toEqual(ends)
})
