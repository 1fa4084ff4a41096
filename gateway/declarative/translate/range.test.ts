import { expect, test } from 'vitest'
import { at, clauseFor, translate } from '../../../test/support/translate.ts'

const price = { id: 'p', type: 'range', dataField: 'price' }

test('a list entry without bounds is left out', () => {
  expect(at(clauseFor({ ...price, value: [{ start: 10 }, {}] }), 'bool', 'should')).toEqual([
    { range: { price: { gte: 10 } } },
  ])
  expect(clauseFor({ ...price, value: [{}, {}] })).toEqual({ match_all: {} })
})

test.each([
  { start: 9, end: 1 },
  { start: '2020-03-01', end: '2020-02-28' },
])('end before start is refused: %j', (value) => {
  expect(() => clauseFor({ ...price, value })).toThrow('ends before it starts')
})

test('date mathematics is left to the engine', () => {
  expect(clauseFor({ ...price, value: { start: 'now', end: 'now-1d' } })).toEqual({
    range: { price: { gte: 'now', lte: 'now-1d' } },
  })
})

test('an empty range counts as none', () => {
  const { bodies } = translate([{ ...price, value: { start: 1 }, range: {} }])
  expect(at(bodies, 'p', 'query')).toEqual({ range: { price: { gte: 1 } } })
})

test('the range clause is wrapped in nested', () => {
  const { bodies } = translate([
    { ...price, dataField: 'reviews.stars', nestedField: 'reviews', range: { start: 1 } },
  ])
  expect(at(bodies, 'p', 'query')).toEqual({
    nested: { path: 'reviews', query: { range: { 'reviews.stars': { gte: 1 } } } },
  })
})

test('date-histogram yields a date histogram', () => {
  const query = { ...price, aggregations: ['date-histogram'], calendarinterval: '1w' }
  expect(at(translate([query]).bodies, 'p', 'aggs')).toEqual({
    price: { date_histogram: { field: 'price', calendar_interval: '1w' } },
  })
})

test.each([
  ['no bounds', {}, 'needs "start" and "end" or an "interval"'],
  ['one bound', { value: { start: 5 } }, 'needs "start" and "end" or an "interval"'],
  ['dates', { value: { start: '2020', end: '2021' } }, 'needs "calendarinterval"'],
  ['dates and an interval', { value: { start: '2020' }, interval: 5 }, 'needs "calendarinterval"'],
])('a histogram with %s is not asked for, and a warning says why', (_what, more, reason) => {
  const { bodies, warnings } = translate([{ ...price, aggregations: ['histogram'], ...more }])
  expect(at(bodies, 'p', 'aggs')).toEqual({})
  expect(warnings).toEqual([expect.stringContaining(reason)])
})

test('an interval that was asked for needs no bounds', () => {
  const { bodies, warnings } = translate([{ ...price, aggregations: ['histogram'], interval: 5 }])
  expect(at(bodies, 'p', 'aggs')).toEqual({ price: { histogram: { field: 'price', interval: 5 } } })
  expect(warnings).toEqual([])
})
