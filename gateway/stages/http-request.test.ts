import { expect, test } from 'vitest'
import { startFakeEngine } from '../../test/support/fake-engine.ts'
import { makeContext, makeServices, runStage } from '../../test/support/stage-run.ts'
import { httpRequest } from './http-request.ts'

const startServer = (status: number) =>
  startFakeEngine((_request, response) => response.writeHead(status).end('pong'))

const context = makeContext({
  request: {
    method: 'PUT',
    headers: { Authorization: 'Basic x', 'x-trace': '1', 'content-length': '4' },
    body: 'ping',
  },
  envs: { urlValues: { a: '1' } },
})

test('synchronously it inherits the request without its credentials, and sets the response', async () => {
  await using server = await startServer(200)
  const { response, end } = await runStage(httpRequest, context, { url: `${server.url}/p` })
  expect(response).toMatchObject({ code: 200, body: 'pong' })
  expect(end).toBe(false)
  expect(server.seen[0]).toMatchObject({ method: 'PUT', url: '/p?a=1', body: 'ping' })
  const headers = server.seen[0]?.rawHeaders.join(' ').toLowerCase()
  expect(headers).toContain('x-trace 1')
  expect(headers).toContain('content-type application/json')
  expect(headers).not.toContain('authorization')
})

test('an answer of 400 or more ends the pipeline with that answer', async () => {
  await using server = await startServer(404)
  const { response, end } = await runStage(httpRequest, context, { url: server.url + '/p' })
  expect([response.code, end]).toEqual([404, true])
})

test('asynchronously it inherits nothing, and gives the body', async () => {
  await using server = await startServer(500)
  const services = makeServices({}, { isAsync: true })
  const { output, response } = await runStage(
    httpRequest,
    context,
    { url: `${server.url}/p`, params: { n: 2 } },
    services,
  )
  expect(output).toBe('pong')
  expect(response).toEqual(context.response)
  expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/p?n=2', body: '' })
})

test('an object as body is sent as JSON', async () => {
  await using server = await startServer(200)
  await runStage(httpRequest, context, { url: `${server.url}/p`, method: 'post', body: { a: 1 } })
  expect(server.seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}' })
})
