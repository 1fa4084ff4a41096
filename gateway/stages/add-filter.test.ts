import { expect, test } from 'vitest'
import { makeContext, runStage } from '../../test/support/stage-run.ts'
import { translate } from '../../test/support/translate.ts'
import { addFilter } from './add-filter.ts'

async function filtered(queries: object[], data: Record<string, string | string[]>) {
  const context = makeContext({ request: { body: JSON.stringify({ query: queries }) } })
  const { request } = await runStage(addFilter, context, { data })
  const body = JSON.parse(request.body) as { query: object[] }
  return body.query
}

test('the first search reacts to a term query for each field, none of which runs', async () => {
  const queries = await filtered(
    [{ id: 'f', type: 'term' }, { id: 's', REACT: { and: 'f', not: 'x' } }, { id: 's2' }],
    { brand: 'Tarn', color: ['red', 'blue'] },
  )
  const filter = { type: 'term', execute: false }
  expect(queries).toEqual([
    { id: 'f', type: 'term' },
    {
      id: 's',
      react: {
        and: ['f', 'query_rule_filter_brand', 'query_rule_filter_color'],
        not: 'x',
      },
    },
    { id: 's2' },
    { ...filter, id: 'query_rule_filter_brand', dataField: 'brand', value: 'Tarn' },
    { ...filter, id: 'query_rule_filter_color', dataField: 'color', value: ['red', 'blue'] },
  ])
})

test('what the engine is asked holds the filter', async () => {
  const queries = await filtered([{ id: 's' }], { brand: 'Tarn' })
  expect(translate(queries).bodies).toMatchObject({
    s: { query: { bool: { must: [{ bool: { must: [{ term: { brand: 'Tarn' } }] } }] } } },
  })
})

test('a request without a search stays as it is', async () => {
  expect(await filtered([{ id: 'f', type: 'term' }], { brand: 'Tarn' })).toEqual([
    { id: 'f', type: 'term' },
  ])
})
