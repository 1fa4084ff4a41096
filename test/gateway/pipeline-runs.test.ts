import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { startSluice, type Sluice } from '../support/start-sluice.ts'

const pipeline = (name: string, stages: string) =>
  `routes: [{ path: /${name}, method: POST }]\nstages:\n${stages}`
const ask =
  '  - { id: ask, use: searchEngineQuery, inputs: { method: GET, path: /asked, params: {} } }\n'
const broken = "  - { id: broken, script: 'null.x' }\n"

const workspace = makeWorkspace({
  'pipelines/guarded.yaml': pipeline(
    'guarded',
    `${ask}  - { id: aside, async: true, use: searchEngineQuery, inputs: { method: GET, path: /aside } }\n  - use: authorization\n`,
  ),
  'pipelines/open.yaml': pipeline('open', ask),
  'pipelines/continued.yaml': pipeline('continued', broken + ask),
})
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine((_request, response) => response.end('{}'))
  sluice = await startSluice(['--engine', engine.url, '--workspace', workspace.dir])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
})

const post = (name: string, authorization?: string) =>
  fetch(`${sluice.gateway}/${name}`, {
    method: 'POST',
    body: '{}',
    ...(authorization !== undefined && { headers: { authorization } }),
  })

test.each([
  [undefined, /needs a user name and a password/],
  [`Basic ${btoa('admin:wrong')}`, /is wrong/],
])(
  'an authorization stage at the end of the list keeps everything from running: %s',
  async (authorization, message) => {
    engine.seen.length = 0
    const reply = await post('guarded', authorization)
    expect([reply.status, reply.headers.get('www-authenticate'), await reply.json()]).toEqual([
      401,
      expect.stringMatching(/^Basic/),
      {
        error: expect.objectContaining({
          type: 'UNAUTHORIZED',
          message: expect.stringMatching(message),
        }),
      },
    ])
    expect(engine.seen).toEqual([])
    expect((await post('guarded', sluice.authorization)).status).toBe(200)
    // Let in, both stages ask; the one in the background may do so later.
    while (engine.seen.length < 2) await sleep(5)
  },
)

test('a route without it is open', async () => {
  expect((await post('open')).status).toBe(200)
})

test('a continued failure stands in a header of the answer and in the log', async () => {
  const reply = await post('continued')
  expect([reply.status, reply.headers.get('x-sluice-continued')]).toEqual([200, 'broken'])
  const lines = () => sluice.log().split('\n')
  const written = () => lines().find((one) => one.includes('"event":"continued"'))
  while (written() === undefined) await sleep(5)
  expect(JSON.parse(written() ?? '')).toMatchObject({
    level: 'warn',
    pipelineId: 'continued',
    stages: ['broken'],
  })
})
