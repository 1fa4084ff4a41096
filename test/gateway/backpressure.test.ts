import { request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

const manifest = (limits: string) => `name: test\nlimits: {${limits}}\n`
const pipeline = `routes: [{ path: '/run/{index}', method: POST }]
stages:
  - use: authorization
  - use: searchEngineQuery
    continueOnError: false
    inputs: { method: GET, path: '/held/{{envs.path}}' }
`

let workspace: ReturnType<typeof makeWorkspace>
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice
/** Requests that the engine has not answered. */
let held: { url: string; response: ServerResponse }[]

beforeEach(async () => {
  held = []
  workspace = makeWorkspace({
    'sluice.yaml': manifest('runs: 2, waiting: 3'),
    'pipelines/run.yaml': pipeline,
  })
  engine = await startFakeEngine(({ url = '' }, response) => {
    if (url.startsWith('/held')) held.push({ url, response })
    else response.end('{}')
  })
  sluice = await startSluice(['--engine', engine.url, '--workspace', workspace.dir])
})
afterEach(async () => {
  for (const { response } of held) response.destroy()
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
})

const post = (name: string, to = sluice) =>
  fetch(`${to.gateway}/run/${name}`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: to.authorization },
  })

const load = async () => {
  const { load } = (await (await fetch(`${sluice.gateway}/_sluice/health`)).json()) as {
    load?: { running: number; waiting: number }
  }
  return load && [load.running, load.waiting]
}
const until = async (running: number, waiting: number) => {
  while (JSON.stringify(await load()) !== JSON.stringify([running, waiting])) await sleep(5)
}

test('runs beyond the limit wait in order, and their number can be seen', async () => {
  const replies = []
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    replies.push(post(name))
    await until(Math.min(at + 1, 2), Math.max(at - 1, 0))
  }
  while (held.length < 2) await sleep(5)
  await sleep(50)
  expect(held.map(({ url }) => url)).toEqual(['/held//run/a', '/held//run/b'])
  const { body } = await callControl(sluice, 'GET', '/api/state')
  expect(body).toMatchObject({ load: { running: 2, waiting: 3, background: 0 } })

  for (let answered = 0; answered < 5; answered++) {
    while (held.length <= answered) await sleep(5)
    held[answered]?.response.end(held[answered]?.url)
  }
  const bodies = await Promise.all(replies.map(async (reply) => (await reply).text()))
  expect(bodies).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `/held//run/${name}`))
  expect(held.slice(2).map(({ url }) => url.at(-1))).toEqual(['c', 'd', 'e'])
  await until(0, 0)
})

test('past the queue: 503 with retry-after, while everything else is served', async () => {
  const replies = ['a', 'b', 'c', 'd', 'e'].map((name) => post(name))
  await until(2, 3)
  const refused = await post('f')
  const { headers } = refused
  expect([refused.status, headers.get('retry-after'), headers.get('connection')]).toEqual([
    503,
    '1',
    'keep-alive',
  ])
  expect(await refused.json()).toMatchObject({
    error: {
      code: 503,
      type: 'OVERLOADED',
      message: expect.stringMatching(/busy with 2 runs, and 3 requests wait.*limits\.runs \(2\)/),
    },
  })
  const passed = await fetch(`${sluice.gateway}/movies/_search`, {
    headers: { authorization: sluice.authorization },
  })
  expect([passed.status, await passed.text()]).toEqual([200, '{}'])
  for (let answered = 0; answered < 5; answered++) {
    while (held.length <= answered) await sleep(5)
    held[answered]?.response.end('{}')
  }
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(5).fill(200))
})

test('a client that hangs up leaves the queue, and its run never begins', async () => {
  const replies = [post('a'), post('b')]
  await until(2, 0)
  const client = request(`${sluice.gateway}/run/gone`, {
    method: 'POST',
    headers: { authorization: sluice.authorization },
  })
  client.on('error', () => undefined)
  client.end('{}')
  await until(2, 1)
  replies.push(post('c'))
  await until(2, 2)
  client.destroy()
  await until(2, 1)
  for (let answered = 0; answered < 3; answered++) {
    while (held.length <= answered) await sleep(5)
    held[answered]?.response.end('{}')
  }
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(held.map(({ url }) => url.at(-1)))).toEqual(new Set(['a', 'b', 'c']))
  await until(0, 0)
})

test('the manifest changes the limits of a gateway that runs', async () => {
  const replies = [post('a'), post('b'), post('c')]
  await until(2, 1)
  const path = 'sluice.yaml'
  const { body } = await callControl(sluice, 'GET', `/api/workspace/file?path=${path}`)
  const { etag } = body as { etag: string }
  const text = manifest('runs: 5')
  await callControl(sluice, 'PUT', '/api/workspace/file', { path, text, etag })
  // The next request finds room for itself and for the one that waits.
  replies.push(post('d'))
  while (held.length < 4) await sleep(5)
  for (let answered = 0; answered < replies.length; answered++) {
    while (held.length <= answered) await sleep(5)
    held[answered]?.response.end('{}')
  }
  for (const reply of replies) expect((await reply).status).toBe(200)
})

test('in a burst everyone is answered, one way or the other, and nothing is left behind', async () => {
  process.env.SLUICE_LIMITS = 'runs=4 waiting=20'
  await using small = await startSluice(['--engine', engine.url, '--workspace', workspace.dir])
  delete process.env.SLUICE_LIMITS
  const statuses: number[] = []
  const burst = Array.from({ length: 150 }, async (_, at) => {
    const reply = await post(`r${at}`, small)
    statuses.push(reply.status)
    await reply.text()
    if (reply.status === 503) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  })
  while (statuses.length < 126) await sleep(5)
  expect(new Set(statuses)).toEqual(new Set([503]))
  const answering = setInterval(() => {
    for (const { response } of held.splice(0)) response.end('{}')
  }, 5)
  await Promise.all(burst)
  clearInterval(answering)
  expect(statuses.slice(126)).toEqual(Array(24).fill(200))
  const health = await (await fetch(`${small.gateway}/_sluice/health`)).json()
  expect(health).toMatchObject({ load: { running: 0, waiting: 0, background: 0 } })
})
