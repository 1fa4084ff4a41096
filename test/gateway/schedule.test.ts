import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayEvent } from '../../gateway/contract/events.ts'
import type { RunSummary, Trace } from '../../gateway/contract/trace.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'
import { noticesOf, ticksOf } from '../support/ticks.ts'

const EVERY_SECOND = "'* * * * * *'"

/** A pipeline that runs by itself; its script says what it was given. */
const scheduled = ({
  schedule = EVERY_SECOND,
  body = 'return { response: { body: context.request.method + " " + context.envs.path } }',
  head = '',
  more = '',
  stop = false,
} = {}) => `routes:
  - {path: /nightly/report, method: POST}
${head}
trigger: {type: cron, expression: ${schedule}${more}}
stages:
  - use: authorization
  - id: work
    continueOnError: ${!stop}
    script: |
      async function handleRequest() { ${body} }
`

const pause = (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}))`
const workspace = makeWorkspace({
  'pipelines/tick.yaml': scheduled(),
  'pipelines/saved.yaml': scheduled(),
  'pipelines/slow.yaml': scheduled({ body: pause(2_300) }),
  'pipelines/endless.yaml': scheduled({ body: pause(9_000) }),
  'pipelines/off.yaml': scheduled({ head: 'enabled: false' }),
  'pipelines/over.yaml': scheduled({ more: ', timeframe: {end_time: 2020-01-01}' }),
  'pipelines/fails.yaml': scheduled({ body: 'throw new Error("no luck")' }),
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

/** Runs of a pipeline that are over, the oldest first. */
async function runsOf(pipelineId: string) {
  const { body } = await callControl(sluice, 'GET', '/api/runs')
  return (body as RunSummary[])
    .filter((run) => run.pipelineId === pipelineId && run.endTime !== undefined)
    .toSorted((one, other) => one.startTime - other.startTime)
}
const someRunsOf = (pipelineId: string, count: number) =>
  until(async () => {
    const runs = await runsOf(pipelineId)
    return runs.length >= count ? runs : undefined
  })

/** Every second between the first and the last run has one run, or was reported. */
async function expectEverySecond(pipelineId: string, runs: readonly RunSummary[]) {
  const ticks = (await ticksOf(sluice, runs, 'work')).toSorted((one, other) => one - other)
  const [first = 0, last = 0] = [ticks[0], ticks.at(-1)]
  const missed = noticesOf(sluice, pipelineId)
    .filter(({ tick }) => tick > first * 1_000 && tick < last * 1_000)
    .reduce((sum, { count }) => sum + count, 0)
  expect(new Set(ticks).size).toBe(ticks.length)
  expect(ticks.length + missed).toBe(last - first + 1)
}

/** Waits until something is there, which takes seconds at most. */
async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
    const found = await ask()
    if (found !== undefined) return found
  }
  throw new Error(`Waited in vain until ${ask.toString()}`)
}

test('a pipeline runs every second, its runs are traced, and traffic never reaches it', async () => {
  const runs = await someRunsOf('tick', 3)
  expect(runs[0]).toMatchObject({
    pipelineId: 'tick', file: 'pipelines/tick.yaml', method: 'POST', path: '/nightly/report',
    status: 'ok', code: 200,
  }) // prettier-ignore
  await expectEverySecond('tick', runs)
  const trace = await callControl(sluice, 'GET', `/api/runs/${runs[0]?.runId}`)
  expect((trace.body as Trace).spans.map(({ stageId, status }) => [stageId, status])).toEqual([
    ['authorization', 'ok'],
    ['work', 'ok'],
  ])
  const snapshot = await callControl(sluice, 'GET', `/api/runs/${runs[0]?.runId}/stages/work`)
  expect(snapshot.body).toMatchObject({ output: { response: { body: 'POST /nightly/report' } } })

  const reply = await fetch(`${sluice.gateway}/nightly/report`, {
    method: 'POST',
    headers: { authorization: sluice.authorization },
  })
  // It went on to the engine.
  expect(await reply.text()).toBe('{}')
})

test('saving a pipeline anew neither loses nor doubles a tick, and its new text runs', async () => {
  await someRunsOf('saved', 1)
  for (let round = 0; round < 12; round++) {
    workspace.write('pipelines/saved.yaml', `${scheduled()}# ${round}\n`)
    await sleep(190)
  }
  const body = 'return { response: { code: 201 } }'
  workspace.write('pipelines/saved.yaml', scheduled({ body }))
  const runs = await until(async () => {
    const all = await runsOf('saved')
    return all.some(({ code }) => code === 201) ? all : undefined
  })
  await expectEverySecond('saved', runs)
})

test('a run that is still going is not joined by another one', async () => {
  const runs = await someRunsOf('slow', 2)
  expect(noticesOf(sluice, 'slow')[0]).toMatchObject({ event: 'schedule-overlap' })
  for (const [at, { startTime }] of runs.entries())
    expect(startTime).toBeGreaterThan(runs[at - 1]?.endTime ?? 0)
})

test('disabled pipelines and those outside of their timeframe do not run; a failing one says so', async () => {
  const [first] = await someRunsOf('fails', 1)
  expect(first?.status).toBe('ok')
  expect(first?.continued).toEqual(['work'])
  expect([await runsOf('off'), await runsOf('over'), noticesOf(sluice, 'over')]).toEqual([
    [],
    [],
    [],
  ])
  workspace.write(
    'pipelines/fails.yaml',
    scheduled({ body: 'throw new Error("no luck")', stop: true }),
  )
  await until(
    () => /scheduled-run-failed.*"pipelineId":"fails".*no luck/.exec(sluice.log()) ?? undefined,
  )
})

test('a schedule that cannot be read is refused at save, with its place', async () => {
  const text = scheduled({ schedule: "'0 25 * * *'" })
  const form = { pipeline: { text, fileName: 'bad.yaml' } }
  const { status, body } = await callApi(sluice, 'POST', '/_pipeline', { form })
  expect([status, body.error]).toMatchObject([
    400,
    {
      type: 'PIPELINE_INVALID',
      message: expect.stringContaining('"25" is no hour of a schedule'),
      source: { line: 4, column: 38, endColumn: 40 },
    },
  ])
})

test('runs missed while the process slept are logged and told, and not caught up', async () => {
  const abort = new AbortController()
  const events = await fetch(`${sluice.control}/api/events`, {
    headers: { authorization: `Bearer ${sluice.token}` },
    signal: abort.signal,
  })
  const told = noticesOf(sluice, 'tick').length
  process.kill(sluice.pid, 'SIGSTOP')
  await sleep(4_200)
  process.kill(sluice.pid, 'SIGCONT')
  const notice = await until(() => noticesOf(sluice, 'tick')[told])
  expect(notice).toMatchObject({ event: 'schedule-missed', pipelineId: 'tick' })
  expect(notice.count).toBeGreaterThanOrEqual(3)
  const first = notice.tick / 1_000
  const ticks = await ticksOf(sluice, await runsOf('tick'), 'work')
  expect(ticks.filter((tick) => tick >= first && tick < first + notice.count)).toEqual([])

  const decoder = new TextDecoder()
  let text = ''
  const frame = () => text.split('\n').find((line) => /"type":"schedule".*"tick".*}$/.test(line))
  for await (const part of events.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true })
    if (frame()) break
  }
  abort.abort()
  expect(GatewayEvent.parse(JSON.parse(frame()?.replace('data: ', '') ?? ''))).toMatchObject({
    notice: { kind: 'missed' },
  })
})

test('the gateway ends without waiting for the next tick, and stops a run that is going', async () => {
  const start = performance.now()
  expect(await sluice.stop()).toBe(0)
  expect(performance.now() - start).toBeLessThan(5_000)
})
