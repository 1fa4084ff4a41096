import { expect, test } from 'vitest'
import { at, clauseFor, translate } from '../../../test/support/translate.ts'

const color = { type: 'term', dataField: 'color' }
const noColor = { bool: { must_not: { exists: { field: 'color' } } } }

test('the missing label means missing with every queryFormat', () => {
  const query = { ...color, showMissing: true, missingLabel: 'none', value: ['none', 'red'] }
  expect(clauseFor(query)).toEqual({ bool: { should: [{ terms: { color: ['red'] } }, noColor] } })
  expect(clauseFor({ ...query, queryFormat: 'and' })).toEqual({
    bool: { must: [noColor, { term: { color: 'red' } }] },
  })
})

test('the missing label means missing by default, too', () => {
  expect(clauseFor({ ...color, showMissing: true, value: 'N/A' })).toEqual(noColor)
})

test('the missing label is a value like others while showMissing is off', () => {
  const query = { ...color, missingLabel: 'none', value: ['none', 'red'] }
  expect(clauseFor(query)).toEqual({ bool: { should: [{ terms: { color: ['none', 'red'] } }] } })
})

test('only the missing label chosen is just must_not exists', () => {
  expect(clauseFor({ ...color, showMissing: true, value: ['N/A'] })).toEqual(noColor)
})

test('selectAllLabel is wrapped in nested', () => {
  const query = { type: 'term', dataField: 'reviews.author', nestedField: 'reviews' }
  expect(clauseFor({ ...query, value: ['All'], selectAllLabel: 'All' })).toEqual({
    nested: { path: 'reviews', query: { exists: { field: 'reviews.author' } } },
  })
})

test('composite aggregation is wrapped in nested', () => {
  const { bodies } = translate([
    { id: 'a', ...color, dataField: 'reviews.author', nestedField: 'reviews', pagination: true },
  ])
  const nested = at(bodies, 'a', 'aggs', 'reactivesearch_nested')
  expect(at(nested, 'nested')).toEqual({ path: 'reviews' })
  expect(at(nested, 'aggs')).toHaveProperty(['reviews.author', 'composite'])
})

test('a value that is an object is refused', () => {
  expect(() => clauseFor({ ...color, value: [{ a: 1 }] })).toThrow('property "value"')
})
