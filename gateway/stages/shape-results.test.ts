import { expect, test } from 'vitest'
import { makeContext, runStage } from '../../test/support/stage-run.ts'
import { customData } from './custom-data.ts'
import { hideResults } from './hide-results.ts'
import { promoteResults } from './promote-results.ts'

const hits =
  '{"total":{"value":2},"hits":[{"_id":"1","_source":{"n":9007199254740993}},{"_id":"2"}]}'
const body = `{"settings":{"took":3},"a":{"took":1,"hits":${hits}},"b":{"error":{"type":"x"}}}`
const context = makeContext({ response: { body } })

test('customData is in the answer of every query, and nothing else changes', async () => {
  const { response } = await runStage(customData, context, { data: { banner: 1 } })
  expect(response.body).toBe(
    `{"settings":{"took":3},"a":{"took":1,"hits":${hits},"customData":{"banner":1}},` +
      '"b":{"error":{"type":"x"},"customData":{"banner":1}}}',
  )
})

test('hidden documents are gone from the hits, and counted', async () => {
  const { response } = await runStage(hideResults, context, { data: ['2', '7'] })
  expect(response.body).toBe(
    `{"settings":{"took":3},"a":{"took":1,"hits":${hits.replace(',{"_id":"2"}', '')},"hidden":1},` +
      '"b":{"error":{"type":"x"}}}',
  )
})

test('promoted documents have the fields their query asks for', async () => {
  const query = [{ id: 'a', includeFields: ['title', 'maker.*'], excludeFields: ['*.secret'] }]
  const { response } = await runStage(
    promoteResults,
    { ...context, envs: { ORIGINAL_RS_BODY: JSON.stringify({ query }) } },
    { data: [{ doc: { title: 't', price: 1, maker: { name: 'm', secret: 's' } }, position: 2 }] },
  )
  expect(JSON.parse(response.body)).toMatchObject({
    a: { promoted: [{ doc: { title: 't', maker: { name: 'm' } }, position: 2 }] },
    b: { promoted: [{ doc: { title: 't', price: 1, maker: { name: 'm', secret: 's' } } }] },
  })
  expect(response.body).not.toContain('"price":1,"maker":{"name":"m"}')
})

test.each(['<html>', '[]'])(
  'an answer that is none is refused with the way out: %s',
  async (text) => {
    const other = makeContext({ response: { body: text } })
    await expect(runStage(customData, other, { data: 1 })).rejects.toThrow(
      'must stand after searchEngineQuery',
    )
  },
)
