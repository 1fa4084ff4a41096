import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunSummary } from '../../gateway/contract/trace.ts'
import { startTestLocalEngine } from '../support/engines.ts'
import { callApi } from '../support/pipeline-api.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

const PIPELINE = `id: nightly
routes: [{ path: /nightly, method: POST }]
trigger: { type: cron, expression: '* * * * * *' }
stages:
  - id: done
    script: function handleRequest() { return {} }
`
let engine: Awaited<ReturnType<typeof startTestLocalEngine>>
let gateways: Sluice[]

beforeAll(async () => {
  process.env['SLUICE_SECRET_KEY'] = 'the key of both gateways'
  engine = await startTestLocalEngine()
  const flags = ['--engine', engine.url, '--state', 'cluster', '--sync', '0.5']
  gateways = [await startSluice(flags), await startSluice(flags)]
})
afterAll(async () => {
  delete process.env['SLUICE_SECRET_KEY']
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await engine.stop()
})

const startsOf = async (sluice: Sluice) =>
  ((await callControl(sluice, 'GET', '/api/runs')).body as RunSummary[]).map((run) => run.startTime)

test('of two gateways that share their state one runs each tick, and none is lost when one ends', async () => {
  const [first, second] = gateways
  if (!first || !second) throw new Error('There are not two gateways')
  const form = { pipeline: { text: PIPELINE, fileName: 'nightly.yaml' } }
  expect((await callApi(first, 'POST', '/_pipeline', { form })).status).toBe(201)
  await sleep(4_500)
  const ran = await startsOf(first)
  await first.stop()
  await sleep(2_500)
  const starts = [...ran, ...(await startsOf(second))].toSorted((one, other) => one - other)
  // One a second whoever ran it; a gateway that ends may take the tick it has claimed with it, and
  // on a busy machine ticks are missed, which the log tells.
  const span = ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / 1_000
  const missed = [...`${first.log()}${second.log()}`.matchAll(/"count":(\d+)/g)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0)
  expect(starts.length).toBeGreaterThanOrEqual(3)
  expect(starts.length).toBeLessThanOrEqual(Math.round(span) + 1)
  expect(starts.length).toBeGreaterThanOrEqual(Math.round(span) - missed)
  expect((await startsOf(second)).some((start) => start > Math.max(0, ...ran))).toBe(true)
})
