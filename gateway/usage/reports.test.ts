import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { createPipelineUsage } from './pipeline-usage.ts'
import { createUsageReports } from './reports.ts'
import { openUsageStore } from './usage-store.ts'
import { createCounter, count } from './counter.ts'

const ALL = { size: 1_000 }
const today = () => new Date().toISOString().slice(0, 10)

/** Usage figures in a folder of their own; `known` is served but was never used. */
function openUsage(prepare?: (file: string) => void) {
  const folder = temporaryFolder()
  prepare?.(join(folder.dir, 'usage.db'))
  const warnings: Record<string, unknown>[] = []
  const open = () =>
    createPipelineUsage({
      dataDir: folder.dir,
      limits: () => ({ usageDays: 30 }),
      warn: (event, fields) => void warnings.push({ event, ...fields }),
    })
  const usage = open()
  const stages = [{ id: 'a' }, { id: 'b' }]
  return {
    usage,
    open,
    warnings,
    reports: createUsageReports({ usage, hasPipeline: (id, v) => id === 'known' && v !== 7 }),
    /** One run, its stages' times, and whether its second stage failed. */
    plan(pipelineId: string, version?: number) {
      const tally = usage.of({ pipelineId, stages, ...(version !== undefined && { version }) })
      return (tookMs: number, code = 200) =>
        tally({ code, tookMs, stageMs: [tookMs / 2], hasFailed: () => code >= 400 })
    },
    async [Symbol.asyncDispose]() {
      await usage.close()
      folder[Symbol.dispose]()
    },
  }
}

test('pipelines, stages and versions are listed with their figures, most used first', async () => {
  await using opened = openUsage()
  const { reports } = opened
  const [first, second, other] = [opened.plan('p', 1), opened.plan('p', 2), opened.plan('q')]
  for (const ms of [1, 2, 3]) first(ms)
  second(10, 500)
  other(4)
  const listed = await reports.pipelines(ALL)
  expect(listed).toMatchObject({
    total: 2,
    pipelines: [
      { pipeline_id: 'p', calls: 4, errors: 1, error_rate: 0.25, average_time: 4, max_time: 10 },
      { pipeline_id: 'q', calls: 1, errors: 0, error_rate: 0, average_time: 4 },
    ],
  })
  expect(Date.parse(listed.pipelines[0]?.last_used ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(await reports.pipelines({ size: 1 })).toMatchObject({
    total: 2,
    pipelines: [{ calls: 4 }],
  })
  expect(await reports.stages({ id: 'p' }, ALL)).toMatchObject({
    pipeline_id: 'p',
    total: 1,
    stages: [{ id: 'a', calls: 4, errors: 1, average_time: 2 }],
  })
  expect(await reports.versions({ id: 'p' }, ALL)).toMatchObject({
    versions: [
      { version: 1, calls: 3, errors: 0 },
      { version: 2, calls: 1, errors: 1 },
    ],
  })
  expect(await reports.versions({ id: 'q' }, ALL)).toMatchObject({ versions: [{ version: null }] })
})

test('times and error rates come as sums and by day, of a pipeline or of a version', async () => {
  await using opened = openUsage()
  const { reports } = opened
  const [first, second] = [opened.plan('p', 1), opened.plan('p', 2)]
  first(3)
  second(9, 404)
  const times = await reports.timeTaken({ id: 'p' }, ALL)
  expect(times).toMatchObject({ pipeline_id: 'p', calls: 2, average_time: 6, max_time: 9 })
  expect(times.histogram.filter(({ calls }) => calls > 0)).toEqual([
    { up_to: 5, calls: 1 },
    { up_to: 10, calls: 1 },
  ])
  expect(times.days).toMatchObject([{ date: today(), calls: 2, average_time: 6 }])
  expect(await reports.timeTaken({ id: 'p', v: 2 }, ALL)).toMatchObject({
    version: 2,
    calls: 1,
    average_time: 9,
  })
  expect(await reports.errorRate({ id: 'p' }, ALL)).toEqual({
    pipeline_id: 'p',
    calls: 2,
    errors: 1,
    error_rate: 0.5,
    days: [{ date: today(), calls: 2, errors: 1, error_rate: 0.5 }],
  })
  expect(await reports.errorRate({ id: 'p', v: 1 }, ALL)).toMatchObject({ errors: 0 })
})

test('a pipeline that was never used has zeros; one nobody knows is not found', async () => {
  await using opened = openUsage()
  const { reports } = opened
  expect(await reports.timeTaken({ id: 'known' }, ALL)).toMatchObject({ calls: 0, days: [] })
  const unknown = [reports.stages({ id: 'x' }, ALL), reports.errorRate({ id: 'known', v: 7 }, ALL)]
  for (const asked of unknown) await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('days outside the range do not count, days out of retention are gone', async () => {
  const counter = createCounter()
  count(counter, 5, false)
  const row = { pipelineId: 'p', version: null, stageId: null, ...counter }
  const [lastWeek, lastYear] = [7, 365].map((days) => Date.now() - days * 86_400_000)
  await using opened = openUsage((file) => {
    const store = openUsageStore(file)
    for (const at of [lastWeek, lastYear]) store.add([row], at ?? 0, '2000-01-01')
    store.close()
  })
  const { reports } = opened
  expect(await reports.errorRate({ id: 'p' }, ALL)).toMatchObject({ calls: 2 })
  opened.plan('p')(1)
  expect(await reports.errorRate({ id: 'p' }, ALL)).toMatchObject({ calls: 2 })
  expect(await reports.errorRate({ id: 'p' }, { ...ALL, from: today() })).toMatchObject({
    calls: 1,
  })
  const day = new Date(lastWeek ?? 0).toISOString().slice(0, 10)
  expect(await reports.errorRate({ id: 'p' }, { ...ALL, to: day })).toMatchObject({ calls: 1 })
})

test('what was counted is there after the next start', async () => {
  await using opened = openUsage()
  opened.plan('p', 1)(5)
  await opened.usage.close()
  const again = opened.open()
  expect(await again.groups({ by: 'pipeline', size: 1 })).toMatchObject({ total: 1 })
  await again.close()
})

test('a file that cannot be read is told', async () => {
  await using opened = openUsage((file) => writeFileSync(file, 'no database'.repeat(1_000)))
  opened.plan('p')(5)
  await expect(opened.reports.pipelines(ALL)).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' })
  expect(opened.warnings).toMatchObject([{ event: 'usage-lost', runs: 1 }])
})
