import { expect, test } from 'vitest'
import { at, translate } from '../../../test/support/translate.ts'

const facets = ['a', 'b', 'c'].map((id) => ({
  id,
  type: 'term',
  dataField: id,
  value: id,
  execute: false,
}))
const term = (id: string) => ({ term: { [id]: id } })
const reacting = (react: object) =>
  at(translate([...facets, { id: 'watcher', react }]).bodies, 'watcher', 'query', 'bool', 'must')

test('an object under or keeps its conjunction', () => {
  expect(reacting({ or: { and: 'a', not: ['b'] } })).toEqual([
    {
      bool: {
        should: [{ bool: { must: term('a') } }, { bool: { must_not: [term('b')] } }],
        minimum_should_match: 1,
      },
    },
  ])
})

test('an object under not keeps its conjunction', () => {
  expect(reacting({ not: { and: 'a' } })).toEqual([
    { bool: { must_not: [{ bool: { must: term('a') } }] } },
  ])
})

test('every id inside a group counts, nested groups included', () => {
  expect(reacting({ or: ['a', { and: ['b'], not: 'c' }, ['c']] })).toEqual([
    {
      bool: {
        should: [
          term('a'),
          { bool: { must: [{ bool: { must: [term('b')] } }, { bool: { must_not: term('c') } }] } },
          term('c'),
        ],
        minimum_should_match: 1,
      },
    },
  ])
})

test('groups nested without end are refused', () => {
  let react: object = { and: 'a' }
  for (let level = 0; level < 40; level++) react = { and: react }
  expect(() => reacting(react)).toThrow('nested deeper than 32 levels')
})

test('lists nested without end are refused', () => {
  let list: unknown[] = ['a']
  for (let level = 0; level < 40; level++) list = [list]
  expect(() => reacting({ and: list })).toThrow('nested deeper than 32 levels')
})

test('ids repeated until they swell are refused', () => {
  const value = 'x'.repeat(100_000)
  const search = { id: 's', dataField: 'title', value, execute: false }
  const watcher = { id: 'watcher', react: { and: Array<string>(1000).fill('s') } }
  expect(() => translate([search, watcher])).toThrow('becomes more than 16000000 characters')
})
