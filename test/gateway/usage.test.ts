import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ErrorRate,
  PipelinesUsage,
  StagesUsage,
  TimeTaken,
  VersionsUsage,
} from '../../gateway/contract/gateway-api/usage.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { startSluice, temporaryFolder, type Sluice } from '../support/start-sluice.ts'

const workspace = makeWorkspace({
  'pipelines/mixed.yaml': `id: mixed
routes: [{ path: /mixed, method: POST }]
stages:
  - use: authorization
  - id: plain
    script: 'function handleRequest() { return { response: { body: "x" } } }'
  - id: broken
    script: 'function handleRequest() { throw new Error("no") }'
  - id: sometimes
    trigger: { expression: 'context.request.body == "fail"' }
    continueOnError: false
    script: 'function handleRequest() { throw new Error("stop") }'
`,
  'pipelines/unused.yaml': `id: unused
routes: [{ path: /unused, method: POST }]
stages:
  - use: authorization
  - id: s
    script: 'function handleRequest() {}'
`,
})
const folder = temporaryFolder()
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice
const start = () =>
  startSluice(['--workspace', workspace.dir, '--engine', engine.url], { dataDir: folder.dir })

beforeAll(async () => {
  engine = await startFakeEngine((_request, response) => response.end('{}'))
  sluice = await start()
  for (const body of ['a', 'b', 'c', 'fail']) await send('POST', '/mixed', body)
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const send = (method: string, path: string, body?: string) =>
  fetch(sluice.gateway + path, {
    method,
    headers: { authorization: sluice.authorization },
    ...(body !== undefined && { body }),
  })
const ask = async (path: string) => {
  const reply = await send('GET', `/_analytics${path}`)
  return { status: reply.status, body: (await reply.json()) as unknown }
}

test('every run counts, though no route records logs', async () => {
  const { pipelines, total } = PipelinesUsage.strict().parse((await ask('/pipelines/usage')).body)
  expect([total, pipelines]).toMatchObject([
    1,
    [{ pipeline_id: 'mixed', calls: 4, errors: 1, error_rate: 0.25 }],
  ])
  expect(pipelines[0]?.average_time).toBeGreaterThan(0)
  expect(pipelines[0]?.max_time).toBeGreaterThanOrEqual(pipelines[0]?.average_time ?? Infinity)
})

test('stages count when they ran, and tell their failures', async () => {
  const { stages } = StagesUsage.strict().parse((await ask('/pipeline/mixed/stages/usage')).body)
  expect(stages.map(({ id, calls, errors }) => [id, calls, errors])).toEqual([
    ['authorization', 4, 0],
    ['broken', 4, 4],
    ['plain', 4, 0],
    ['sometimes', 1, 1],
  ])
})

test('times, error rates and versions of one pipeline', async () => {
  const times = TimeTaken.strict().parse((await ask('/pipeline/mixed/time-taken')).body)
  expect([times.calls, times.days.length]).toEqual([4, 1])
  expect(times.histogram.reduce((sum, { calls }) => sum + calls, 0)).toBe(4)
  const rate = ErrorRate.strict().parse((await ask('/pipeline/mixed/error-rate')).body)
  expect(rate).toMatchObject({ calls: 4, errors: 1, error_rate: 0.25 })
  expect((await ask('/pipeline/unused/error-rate')).body).toMatchObject({ calls: 0, days: [] })
  expect((await ask('/pipeline/nobody/error-rate')).status).toBe(404)
})

test('versions count each for itself, the built-in declarative route has none', async () => {
  const content = `id: mixed
routes: [{ path: /mixed, method: POST, recordLogs: true }]
stages:
  - use: authorization
  - id: plain
    script: 'function handleRequest() { return { response: { code: 418 } } }'
`
  const saved = await fetch(`${sluice.gateway}/_pipeline/mixed/version`, {
    method: 'POST',
    headers: { authorization: sluice.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline: { content, extension: 'yaml' } }),
  })
  expect([saved.status, await saved.json()]).toMatchObject([201, { _version: 2 }])
  expect((await ask('/pipeline/mixed/version/2/error-rate')).body).toMatchObject({ calls: 0 })
  expect((await send('POST', '/v2/mixed', 'x')).status).toBe(418)
  const { versions } = VersionsUsage.strict().parse(
    (await ask('/pipeline/mixed/versions/usage')).body,
  )
  expect(versions.map(({ version, calls, errors }) => [version, calls, errors])).toEqual([
    // The file was not saved over the API yet when these came, so there were no versions.
    [null, 4, 1],
    [2, 1, 1],
  ])
  expect((await ask('/pipeline/mixed/version/2/time-taken')).body).toMatchObject({
    version: 2,
    calls: 1,
  })
  expect((await ask('/pipeline/mixed/version/3/time-taken')).status).toBe(404)
  const logged = await send('GET', '/_pipeline/mixed/logs')
  expect(await logged.json()).toMatchObject({
    total: 1,
    logs: [{ version: 2, route: { path: '/mixed' } }],
  })
  await send('POST', '/movies/_declarative', '{"query":[{"id":"a","value":"x","dataField":["t"]}]}')
  const builtIn = (await ask('/pipeline/built-in-declarative/versions/usage')).body
  expect(builtIn).toMatchObject({ versions: [{ version: null, calls: 1 }] })
})

test('days outside the range do not count', async () => {
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/')
  const calls = async (query: string) =>
    ErrorRate.parse((await ask(`/pipeline/mixed/error-rate?${query}`)).body).calls
  expect(await calls(`from=${day(-1)}&to=${day(1)}`)).toBe(5)
  expect(await calls(`to=${day(-2)}`)).toBe(0)
  expect(await calls(`from=${day(2)}`)).toBe(0)
})

test.each([
  ['/pipelines/usage?size=ten', /"size": "ten" is no whole number from 0 on/],
  [
    '/pipelines/usage?from=yesterday',
    /"from": "yesterday" is no day of the calendar, written yyyy\/MM\/dd/,
  ],
  [
    '/pipeline/mixed/time-taken?from=2026/02/02&to=2026/02/01',
    /"from": "2026-02-02" lies after to/,
  ],
  ['/pipeline/mixed/version/x/error-rate', /"v": "x" is no version number/],
  ['/pipelines/usage?days=3', /"days" is no parameter of this call; there are from, to, size/],
])('%s is refused with what it may be', async (path, message) => {
  expect(await ask(path)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(message) } },
  })
})

test('figures are written when the gateway ends, and go on after the next start', async () => {
  await send('POST', '/mixed', 'last')
  await sluice.stop()
  sluice = await start()
  await send('POST', '/mixed', 'next')
  expect((await ask('/pipelines/usage?size=1')).body).toMatchObject({
    pipelines: [{ pipeline_id: 'mixed', calls: 7 }],
  })
})
