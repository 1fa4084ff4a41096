import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startFakeEngine } from '../../test/support/fake-engine.ts'
import { openPipeline } from '../../test/support/run-pipeline.ts'

const MB = 1024 * 1024
const RUNS = 3
const BODY_MB = 5

setFlagsFromString('--expose-gc')
// Safe: the flag above is what makes it a function.
const collect = runInNewContext('gc') as () => void
const usedMb = () => {
  collect()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return (heapUsed + external + arrayBuffers) / MB
}

/** Twenty stages that touch the body in every way that need not copy it. */
const kinds = [
  'context.seenAPART = context.request.body.length',
  'function handleRequest() { return { seenAPART: context.request.body.slice(0, 9) } }',
  'function handleRequest() { return { request: { ...context.request, headers: { n: "APART" } } } }',
  'function handleRequest() { return { ...context, seenAPART: 1 } }',
  'async function handleRequest() { await null; return { seenAPART: JSON.stringify(Object.keys(context)) } }',
]
const stages = Array.from({ length: 18 }, (_, at) => {
  const script = kinds[at % kinds.length]?.replaceAll('APART', String(at)) ?? ''
  return `  - { id: s${at}, script: '${script}' }\n`
})
const pipelineText = `routes: [{ path: /a, method: POST }]
stages:
  - use: authorization
${stages.join('')}  - { id: aside, async: true, needs: [s0], script: 'function handleRequest() { return context.request.body.length }' }
  - { use: searchEngineQuery, inputs: { method: POST, path: /x, params: {} } }
`

test('recording a run keeps one copy of a large body, however many stages there are', async () => {
  await using engine = await startFakeEngine((_request, response) => response.end('{}'))
  await using pipeline = openPipeline(
    { path: 'p.yaml', text: pipelineText },
    { serverUrl: engine.url },
  )
  const run = async (runId: string) => {
    // Made anew each time, as bodies from a socket are: no two runs share one.
    const body = Buffer.alloc(BODY_MB * MB, `${runId} `).toString('latin1')
    const { response, trace } = await pipeline.run({ url: '/a', body }, { runId })
    expect([response.code, trace?.continued]).toEqual([200, []])
    engine.seen.length = 0
  }
  await run('warm')
  const before = usedMb()
  const accounted = pipeline.store.sizeBytes()
  for (let at = 0; at < RUNS; at++) await run(`run ${at}`)
  const perRun = (usedMb() - before) / RUNS
  expect(pipeline.store.list().length).toBe(RUNS + 1)
  // One copy is 5 MB; a copy for each stage would be 100.
  expect(perRun).toBeGreaterThan(BODY_MB * 0.9)
  expect(perRun).toBeLessThan(BODY_MB * 1.5)
  // Characters are counted as two bytes, since some texts take as many.
  const perRecord = (pipeline.store.sizeBytes() - accounted) / RUNS / MB
  expect(perRecord).toBeGreaterThan(BODY_MB * 0.9)
  expect(perRecord).toBeLessThan(BODY_MB * 2.5)
})

test('a stage that really changes the body is counted with what it made', async () => {
  await using engine = await startFakeEngine((_request, response) => response.end('{}'))
  const text = `routes: [{ path: /a, method: POST }]
stages:
  - { id: one, script: 'context.request.body += "!"' }
  - { id: two, script: 'context.response.body = context.request.body + "?"' }
`
  await using pipeline = openPipeline({ path: 'p.yaml', text }, { serverUrl: engine.url })
  const before = pipeline.store.sizeBytes()
  await pipeline.run({ url: '/a', body: 'x'.repeat(MB) })
  const megabytes = (pipeline.store.sizeBytes() - before) / MB
  // Three texts of a million characters, each of which may take two bytes.
  expect(megabytes).toBeGreaterThan(5.9)
  expect(megabytes).toBeLessThan(6.5)
})
