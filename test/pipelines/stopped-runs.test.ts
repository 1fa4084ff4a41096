import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { openPipeline } from '../support/run-pipeline.ts'

const text = `routes: [{ path: /a, method: POST }]
envs: { server: '\${{SERVER}}' }
stages:
  - id: quick
    script: 'function handleRequest() { return { quick: 1 } }'
  - id: hanging
    script: async function handleRequest() { await fetch(context.envs.server + "/never") }
  - id: last
    script: 'function handleRequest() { return { last: 1 } }'
`
type RunOptions = Parameters<ReturnType<typeof openPipeline>['run']>[1]

/** The server never answers; it tells when it was asked. */
const stopped = async (options: RunOptions, onAsked = () => {}) => {
  await using server = await startFakeEngine(onAsked)
  await using pipeline = openPipeline({ path: 'p.yaml', text }, { serverUrl: server.url })
  const { response, trace } = await pipeline.run({ url: '/a' }, options)
  return [
    response.code,
    trace?.status,
    trace?.spans.map(({ stageId, status }) => `${stageId} ${status}`),
  ]
}
const spans = ['quick ok', 'hanging cancelled', 'last notReached']

test('a run beyond its time shows which of several scripts was under way', async () => {
  expect(await stopped({ limits: { runMs: 1_500 } })).toEqual([408, 'failed', spans])
})

test('a client that hangs up stops the script that was under way', async () => {
  const client = new AbortController()
  const run = stopped({ signal: client.signal }, () => client.abort())
  expect(await run).toEqual([499, 'cancelled', spans])
})

test('a script beyond its own time is one failure, and the run goes on', async () => {
  expect(await stopped({ limits: { scriptMs: 1_000 } })).toEqual([
    200,
    'ok',
    ['quick ok', 'hanging continued', 'last ok'],
  ])
})

test('many runs at once do not disturb one another', async () => {
  await using server = await startFakeEngine((request, response) => {
    void sleep(Number(request.url?.slice(1)) % 7).then(() => response.end(request.url))
  })
  const echo = `routes: [{ path: '/a', method: POST }]
envs: { server: '\${{SERVER}}' }
stages:
  - id: ask
    async: true
    script: async function handleRequest() { return await (await fetch(context.envs.server + "/" + context.request.body)).text() }
  - { id: between, script: 'seen = (typeof seen === "undefined" ? 0 : seen) + 1; function handleRequest() { return { seen } }' }
  - id: answer
    needs: [ask]
    script: "function handleRequest() { return { response: { body: context.ask + ' ' + context.seen } } }"
`
  await using pipeline = openPipeline({ path: 'p.yaml', text: echo }, { serverUrl: server.url })
  const bodies = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const { response } = await pipeline.run({ url: '/a', body: `${at}` }, { runId: `r${at}` })
      return response.body
    }),
  )
  expect(bodies).toEqual(bodies.map((_, at) => `/${at} 1`))
})
