import { request } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

const pipeline = (path: string, stages: string) =>
  `routes:\n  - path: ${path}\n    method: POST\nstages:\n${stages}`

const workspace = makeWorkspace({
  'pipelines/good.yaml': pipeline(
    '/good',
    '  - use: authorization\n  - use: searchEngineQuery\n    continueOnError: false\n',
  ),
  'pipelines/slow.yaml': pipeline(
    '/slow',
    '  - use: authorization\n  - use: searchEngineQuery\n    continueOnError: false\n    inputs: { path: /slow }\n',
  ),
  'pipelines/not-yaml.yaml': 'routes: [\nstages: }',
  'pipelines/unknown-stage.yaml': pipeline('/u', '  - use: serchEngineQuery\n'),
  'pipelines/syntax.yaml': pipeline('/s', '  - id: broken\n    scriptRef: broken.js\n'),
  'pipelines/broken.js': 'function handleRequest() {\n  return {,}\n}\n',
})
let aborted = 0
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine((incoming, response) => {
    if (incoming.url === '/slow')
      response.on('close', () => (aborted += response.writableFinished ? 0 : 1))
    else response.end('{"hits":{}}')
  })
  sluice = await startSluice([
    '--engine',
    engine.url,
    '--workspace',
    workspace.dir,
    '--trace',
    'all',
  ])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
})

const post = (path: string, body: string, to = sluice) =>
  fetch(to.gateway + path, {
    method: 'POST',
    body,
    headers: { authorization: to.authorization, 'content-type': 'application/json' },
  })

interface Loaded {
  file: string
  diagnostics: {
    severity: string
    code: string
    source: { file: string; line: number; column: number }
  }[]
}

test.each([
  ['pipelines/not-yaml.yaml', { line: 2, column: 9 }],
  ['pipelines/unknown-stage.yaml', { line: 5, column: 10 }],
  ['pipelines/syntax.yaml', { file: 'pipelines/broken.js', line: 2, column: 11 }],
])('%s has an error with its place, and the others are served', async (file, place) => {
  const { body } = await callControl(sluice, 'GET', '/api/pipelines')
  const errors = (body as Loaded[])
    .find((pipeline) => pipeline.file === file)
    ?.diagnostics.filter(({ severity }) => severity === 'error')
  expect(errors?.map(({ source }) => source)).toContainEqual(expect.objectContaining(place))
  expect((await post('/good', '{}')).status).toBe(200)
})

test('a 200 MB body for a pipeline is refused with 413 before it is read', async () => {
  const outgoing = request(`${sluice.gateway}/good`, {
    method: 'POST',
    headers: { authorization: sluice.authorization, 'content-length': 200 * 1024 * 1024 },
  })
  outgoing.on('error', () => undefined)
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve) =>
    outgoing.on('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    }),
  )
  outgoing.write('{}')
  const { status, text } = await answer
  outgoing.destroy()
  expect(status).toBe(413)
  expect(JSON.parse(text)).toMatchObject({
    error: { type: 'BODY_TOO_LARGE', message: expect.stringContaining('100 MB') },
  })
})

test('a body of unknown length is cut off at the same size', async () => {
  const part = Buffer.alloc(1024 * 1024, ' ')
  const reply = fetch(`${sluice.gateway}/good`, {
    method: 'POST',
    headers: { authorization: sluice.authorization },
    body: Readable.toWeb(Readable.from(Array.from({ length: 110 }, () => part))) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  expect((await reply).status).toBe(413)
  expect((await post('/good', '{}')).status).toBe(200)
})

test('a client that hangs up cancels its run and the engine request in it', async () => {
  const outgoing = request(`${sluice.gateway}/slow`, {
    method: 'POST',
    headers: { authorization: sluice.authorization },
  })
  outgoing.on('error', () => undefined)
  outgoing.end('{}')
  while (engine.seen.at(-1)?.url !== '/slow') await sleep(5)
  outgoing.destroy()
  while (aborted === 0) await sleep(5)
  const cancelled = async () => {
    const { body } = await callControl(sluice, 'GET', '/api/runs')
    return (body as { pipelineId: string; status: string }[]).find(
      (run) => run.pipelineId === 'slow',
    )
  }
  while ((await cancelled())?.status === 'running') await sleep(5)
  expect(await cancelled()).toMatchObject({ status: 'cancelled' })
})

test('an engine that is down or talks nonsense fails the stage with its code', async () => {
  const nonsense = createServer(
    (socket) => void socket.on('error', () => undefined).end('what?\r\n'),
  )
  await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve))
  const { port } = nonsense.address() as AddressInfo
  using own = makeWorkspace({
    'pipelines/good.yaml': pipeline(
      '/good',
      '  - use: authorization\n  - use: searchEngineQuery\n    continueOnError: false\n',
    ),
  })
  await using odd = await startSluice([
    '--engine',
    `http://127.0.0.1:${port}`,
    '--workspace',
    own.dir,
  ])
  const failure = async () => (await (await post('/good', '{}', odd)).json()) as unknown
  expect(await failure()).toMatchObject({
    error: { code: 502, type: 'ENGINE_PROTOCOL', stageId: 'searchEngineQuery' },
  })
  nonsense.close()
  expect(await failure()).toMatchObject({
    error: { code: 502, type: 'ENGINE_UNREACHABLE', stageId: 'searchEngineQuery' },
  })
})

test('a pipeline that is mended is served without a restart', async () => {
  workspace.write('pipelines/unknown-stage.yaml', pipeline('/u', '  - use: searchEngineQuery\n'))
  const takenBy = async () => (await post('/u', '{}')).headers.get('x-sluice-pipeline')
  while ((await takenBy()) === null) await sleep(20)
  expect(await takenBy()).toBe('unknown-stage')
})
