import { expect, test } from 'vitest'
import { at, clauseFor, translate } from '../../../test/support/translate.ts'

const matches = (clause: unknown, key: 'query' | 'fields') =>
  [0, 1, 2, 3].map((position) => at(clause, 'bool', 'should', position, 'multi_match', key))
const texts = (query: object) => matches(clauseFor(query), 'query')
const fields = (query: object) => matches(clauseFor(query), 'fields')[0]

test('a value that is a number counts as its text', () => {
  const search = { type: 'search', dataField: 'year', value: 1984 }
  expect(texts(search)).toEqual(['1984', '1984', '1984', '1984'])
})

test('a value that is an object is refused', () => {
  expect(() => clauseFor({ dataField: 'title', value: { a: 1 } })).toThrow(
    'Query "own", property "value": must be text, a number or a list of texts',
  )
})

test('only blanks match all', () => {
  expect(clauseFor({ dataField: 'title', value: ' \t ' })).toEqual({ match_all: {} })
  expect(clauseFor({ dataField: 'title', value: ' ', queryString: true })).toEqual({
    match_all: {},
  })
})

test('weights stay with their fields when synonyms are off', () => {
  const dataField = ['title.synonyms', 'title', 'summary']
  const search = { dataField, fieldWeights: [7, 3], value: 'brush', enableSynonyms: false }
  expect(fields(search)).toEqual(['title^3.00', 'summary'])
})

test('an empty rankFeature asks for nothing', () => {
  expect(clauseFor({ dataField: 'title', rankFeature: {} })).toEqual({ match_all: {} })
  expect(
    at(clauseFor({ dataField: 'title', value: 'a b', rankFeature: {} }), 'bool'),
  ).toMatchObject({
    minimum_should_match: 1,
  })
})

test('lone signs leave the first clause of a search and all clauses of a suggestion', () => {
  const value = 'red - (pan)  pot   + /'
  expect(texts({ dataField: 'title', value })).toEqual(['red (pan) pots', value, value, value])
  expect(texts({ type: 'suggestion', dataField: 'title', value })).toEqual([
    'red (pan) pots',
    'red (pan) pot',
    'red (pan) pot',
    'red (pan) pot',
  ])
})

test('weights have two decimals, ties go to the even digit', () => {
  const dataField = [0.125, 0.375, 1.005, 2.5, 0, -1].map((weight) => ({ field: 'f', weight }))
  expect(fields({ dataField, value: 'x' })).toEqual([
    'f^0.12',
    'f^0.38',
    'f^1.00',
    'f^2.50',
    'f',
    'f',
  ])
})

test('a defaultQuery without query keeps the own value', () => {
  const { bodies } = translate([
    { id: 'a', type: 'term', dataField: 'brand', value: 'x' },
    { id: 'b', dataField: 'title', value: 'pan', defaultQuery: { size: 7 }, react: { and: 'a' } },
  ])
  expect(at(bodies, 'b', 'query', 'bool', 'must')).toHaveLength(2)
  expect(at(bodies, 'b', 'size')).toBe(7)
})
