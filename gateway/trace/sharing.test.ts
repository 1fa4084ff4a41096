import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startFakeEngine } from '../../test/support/fake-engine.ts'
import { openPipeline } from '../../test/support/run-pipeline.ts'

const MB = 1024 * 1024
const RUNS = 4
const BODY_MB = 5

setFlagsFromString('--expose-gc')
// Safe: the flag above is what makes it a function.
const collect = runInNewContext('gc') as () => void
/** What is in use once nothing more can be collected. */
async function usedMb() {
  let used = Infinity
  for (let round = 0; round < 20; round++) {
    collect()
    await sleep(5)
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    const now = (heapUsed + external + arrayBuffers) / MB
    if (Math.abs(now - used) < 0.05) break
    used = now
  }
  return used
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
  const run = async (runId: string, bytes: number) => {
    // Made anew each time, as bodies from a socket are: no two runs share one.
    const body = Buffer.alloc(bytes, `${runId} `).toString('latin1')
    const { response, trace } = await pipeline.run({ url: '/a', body }, { runId })
    expect([response.code, trace?.continued]).toEqual([200, []])
    engine.seen.length = 0
  }
  for (let at = 0; at < RUNS; at++) await run(`run ${at}`, BODY_MB * MB)
  expect(pipeline.store.list().length).toBe(RUNS)
  const used = await usedMb()
  const accounted = pipeline.store.sizeBytes()
  // Runs of the same names take their places: what is free then is what the large bodies took.
  for (let at = 0; at < RUNS; at++) await run(`run ${at}`, 10)
  const perRun = (used - (await usedMb())) / RUNS
  // One copy is 5 MB; a copy for each stage would be 100.
  expect(perRun).toBeGreaterThan(BODY_MB * 0.9)
  expect(perRun).toBeLessThan(BODY_MB * 1.5)
  // Characters are counted as two bytes, since some texts take as many.
  const perRecord = (accounted - pipeline.store.sizeBytes()) / RUNS / MB
  expect(perRecord).toBeGreaterThan(BODY_MB * 0.9)
  expect(perRecord).toBeLessThan(BODY_MB * 2.5)
})

test('runs that made room for newer ones hold no memory any more', async () => {
  await using engine = await startFakeEngine((_request, response) => response.end('{}'))
  const text = 'routes: [{ path: /a, method: POST }]\nstages: [{ id: one, script: "1" }]\n'
  await using pipeline = openPipeline({ path: 'p.yaml', text }, { serverUrl: engine.url })
  await pipeline.run({ url: '/a' })
  const before = await usedMb()
  for (let at = 0; at < 20; at++) {
    const body = Buffer.alloc(BODY_MB * MB, `${at} `).toString('latin1')
    await pipeline.run({ url: '/a', body }, { runId: `run ${at}` })
  }
  // The store may hold 50 MB by its own count, five of these runs; all of them are 100 MB.
  expect(pipeline.store.list().length).toBeLessThan(6)
  expect((await usedMb()) - before).toBeLessThan(50)
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
