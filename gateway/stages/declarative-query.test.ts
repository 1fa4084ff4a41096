import { expect, test } from 'vitest'
import { makeContext, makeServices, runStage } from '../../test/support/stage-run.ts'
import { declarativeQuery } from './declarative-query.ts'

const body =
  '{"query":[{"id":"a"},{"id":"far","endpoint":{"url":"https://x.example","body":{"n":1.0}}}]}'

test('the body becomes an _msearch, and the original stays in the envs', async () => {
  const context = makeContext({ request: { body }, envs: { urlValues: { preference: '_local' } } })
  const { request, envs } = await runStage(declarativeQuery, context, {})
  expect(request.body.split('\n')[0]).toBe('{"preference":"_local"}')
  expect(envs).toMatchObject({ ORIGINAL_RS_BODY: body, RS_BACKEND: 'elasticsearch' })
  expect(envs.INDEPENDENT_REQUESTS).toBe(
    '[{"kind":"endpoint","id":"far","request":' +
      '{"url":"https://x.example","method":"POST","headers":{},"body":{"n":1.0}}}]',
  )
})

test('the preference tells callers apart when they name none', async () => {
  const services = makeServices({ clientIp: '10.1.2.3' })
  const { request } = await runStage(
    declarativeQuery,
    makeContext({ request: { body } }),
    {},
    services,
  )
  expect(request.body).toContain('{"preference":"a_10.1.2.3"}')
})

test('the backend of the inputs wins over that of the request', async () => {
  const query = [{ id: 'a', queryVector: [1], vectorDataField: 'v' }]
  const settings = { backend: 'elasticsearch' }
  const context = makeContext({ request: { body: JSON.stringify({ query, settings }) } })
  const { request, envs } = await runStage(declarativeQuery, context, { backend: 'opensearch' })
  expect(request.body).toContain('"source":"knn_score"')
  expect(envs.RS_BACKEND).toBe('opensearch')
})
