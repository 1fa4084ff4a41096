import { expect, test } from 'vitest'
import { groupChanges, sharedEnds } from './group-changes.ts'
import { structuredValue } from './structured-value.ts'

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
  ['0', '200', null],
  ['""', '"a longer text"', null],
])('%s and %s share their ends and nothing twice', (before, after, ends) => {
  expect(sharedEnds(before, after)).toEqual(ends)
})

test('long containers and strings that hold them open as trees, cut ones do not', () => {
  const hits = JSON.stringify({ hits: Array.from({ length: 20 }, (_, id) => ({ id })) })
  expect(structuredValue(hits)).toEqual({ text: hits, isString: false })
  expect(structuredValue(JSON.stringify(hits))).toEqual({ text: hits, isString: true })
  expect(structuredValue(hits.slice(0, 100))).toBeNull()
  expect(structuredValue(JSON.stringify('{'.repeat(100)))).toBeNull()
  expect(structuredValue('{"short":true}')).toBeNull()
})
