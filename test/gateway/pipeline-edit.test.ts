import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine((_request, response) => response.end('{}'))
  sluice = await startSluice(['--engine', engine.url])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
})

const text = 'stages: # in order\n  - use: authorization # first\n  - {id: b, script: x}\n'
const edit = (change: unknown, path = 'pipelines/a.pipeline.yaml') =>
  callControl(sluice, 'POST', '/api/pipeline/edit', { path, text, edit: change })

test('a stage is connected, and nothing else of the text changes', async () => {
  const { status, body } = await edit({ kind: 'connect', stage: 'b', needs: 'authorization' })
  expect([status, body]).toEqual([
    200,
    { text: text.replace('script: x}', 'script: x, needs: [authorization]}'), diagnostics: [] },
  ])
})

test('an edit that cannot be made leaves the text and says where and why', async () => {
  const { status, body } = await edit({ kind: 'removeStage', stage: 'a' })
  expect([status, body]).toMatchObject([
    200,
    { text, diagnostics: [{ code: 'edit-no-stage', source: { line: 1, column: 1 } }] },
  ])
})

test.each([
  [{ kind: 'explode', stage: 'a' }, 'kind'],
  [{ kind: 'moveStage', stage: 'b', index: -1 }, 'index'],
  [{ kind: 'setField', path: [], value: 1 }, 'path'],
])('%j is no edit', async (change, part) => {
  expect(await edit(change)).toMatchObject({
    status: 400,
    body: { error: { type: 'REQUEST_INVALID', message: expect.stringContaining(part) } },
  })
})
