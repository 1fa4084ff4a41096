import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

const pipeline = (name: string, stages: string) =>
  `routes: [{ path: /${name}, method: POST }]\nstages:\n  - use: authorization\n${stages}`
const held = (id: string, more = '') =>
  `  - { id: ${id}, use: searchEngineQuery, inputs: { method: GET, path: /held }${more} }\n`
const quick = (id: string) =>
  `  - { id: ${id}, use: searchEngineQuery, continueOnError: false, inputs: { method: GET, path: / } }\n`
const script = (id: string, text: string, more = ', continueOnError: false') =>
  `  - { id: ${id}${more}, script: '${text}' }\n`

const waits = (how: string) => `async function handleRequest() { await new Promise(${how}) }`

const workspace = makeWorkspace({
  'sluice.yaml': `name: test
limits:
  scriptMs: 1000
  scriptMemoryMb: 16
  stageMs: 1200
  runMs: 3000
  backgroundMs: 1200
  bodyMb: 1
  stages: 5
  calls: 9
`,
  'pipelines/loop.yaml': pipeline('loop', script('s', 'for (;;);')),
  'pipelines/heap.yaml': pipeline(
    'heap',
    script('s', 'const a = []; for (;;) a.push(new Array(1e5).fill(1.5))'),
  ),
  'pipelines/buffer.yaml': pipeline('buffer', script('s', 'new ArrayBuffer(64 * 2 ** 20)')),
  'pipelines/stage.yaml': pipeline('stage', held('s', ', continueOnError: false')),
  'pipelines/run.yaml': pipeline('run', held('a') + held('b') + held('c')),
  'pipelines/body.yaml': pipeline('body', quick('s')),
  'pipelines/stages.yaml': pipeline('stages', ['a', 'b', 'c', 'd', 'e'].map(quick).join('')),
  'pipelines/calls.yaml': pipeline('calls', ['a', 'b', 'c', 'd'].map(quick).join('')),
  'pipelines/background.yaml': pipeline(
    'background',
    script('forever', waits('() => {}'), ', async: true') +
      script('first', waits('(go) => setTimeout(go, 600)'), ', async: true') +
      script('second', waits('() => {}'), ', async: true, needs: [first]') +
      script('answer', waits('(go) => setTimeout(go, 300)')),
  ),
})
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine(({ url }, response) => {
    if (url !== '/held') response.end('{}')
  })
  const flags = ['--engine', engine.url, '--workspace', workspace.dir, '--trace', 'all']
  // What the command line says counts, whatever the manifest says.
  sluice = await startSluice([...flags, '--limit', 'calls=3'])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
})

const post = (name: string, body = '{}') =>
  fetch(`${sluice.gateway}/${name}`, {
    method: 'POST',
    body,
    headers: { authorization: sluice.authorization },
  })

test.each([
  ['loop', 504, 'SCRIPT_TIMEOUT', /longer than 1000 ms.*limits\.scriptMs/],
  ['heap', 500, 'SCRIPT_MEMORY', /more than 16 MB.*limits\.scriptMemoryMb/],
  ['buffer', 500, 'SCRIPT_MEMORY', /allocation failed.*limits\.scriptMemoryMb/],
  ['stage', 504, 'STAGE_TIMEOUT', /"s" took longer than 1200 ms.*limits\.stageMs/],
  ['run', 408, 'RUN_TIMEOUT', /"run" took longer than 3000 ms.*limits\.runMs/],
  ['calls', 500, 'CALL_LIMIT', /"d" asked for call 4.*3 requests.*limits\.calls/],
])('%s: the limit ends the run with %d and is named', async (name, status, type, message) => {
  const reply = await post(name)
  expect([reply.status, await reply.json()]).toEqual([
    status,
    { error: expect.objectContaining({ type, message: expect.stringMatching(message) }) },
  ])
})

test('a body beyond the limit is refused with 413, and one within it is not', async () => {
  const refused = await post('body', 'x'.repeat(1024 * 1024 + 1))
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    {
      error: {
        type: 'BODY_TOO_LARGE',
        message: expect.stringMatching(/larger than the 1 MB.*limits\.bodyMb/),
      },
    },
  ])
  expect((await post('body', 'x'.repeat(1024 * 1024))).status).toBe(200)
})

test('a pipeline with too many stages is refused at the first one too many', async () => {
  const { body } = await callControl(sluice, 'GET', '/api/pipelines')
  const loaded = body as { file: string; diagnostics: unknown[] }[]
  expect(loaded.find(({ file }) => file === 'pipelines/stages.yaml')?.diagnostics).toEqual([
    expect.objectContaining({
      severity: 'error',
      code: 'too-many',
      message: expect.stringMatching(/5 stages \(limits\.stages\), and this one has 6/),
      source: expect.objectContaining({ file: 'pipelines/stages.yaml', line: 8, column: 7 }),
    }),
  ])
})

test('stages in the background have their own limit, each one and all together', async () => {
  const reply = await post('background')
  expect(reply.status).toBe(200)
  interface Run {
    runId: string
    pipelineId: string
    endTime?: number
  }
  const ended = async () => {
    const { body } = await callControl(sluice, 'GET', '/api/runs')
    return (body as Run[]).find((run) => run.pipelineId === 'background' && run.endTime)
  }
  let run = await ended()
  while (!run) run = await ended()
  const { body } = await callControl(sluice, 'GET', `/api/runs/${run.runId}`)
  interface Span {
    stageId: string
    status: string
    error?: { type: string; message: string }
  }
  const spans = (body as { spans: Span[] }).spans
  expect(spans.map(({ stageId, status, error }) => [stageId, status, error?.type])).toEqual([
    ['authorization', 'ok', undefined],
    ['forever', 'continued', 'SCRIPT_TIMEOUT'],
    ['first', 'ok', undefined],
    ['second', 'cancelled', 'STAGE_TIMEOUT'],
    ['answer', 'ok', undefined],
  ])
  expect(spans[1]?.error?.message).toMatch(/longer than 1200 ms.*limits\.backgroundMs/)
  expect(spans[3]?.error?.message).toMatch(/1200 ms after its answer.*limits\.backgroundMs/)
})
