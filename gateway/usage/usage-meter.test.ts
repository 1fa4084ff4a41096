import { expect, test } from 'vitest'
import { openPipeline } from '../../test/support/run-pipeline.ts'
import { createUsageMeter } from './usage-meter.ts'

const script = (id: string, body: string, more = '') =>
  `  - id: ${id}\n${more}    script: |\n      async function handleRequest() { ${body} }\n`
const open = (stages: string) =>
  openPipeline(
    {
      path: 'p.yaml',
      text: `id: p\nroutes: [{ path: /a, method: POST }]\nstages:\n${stages}`,
    },
    { serverUrl: 'http://127.0.0.1:9' },
  )
const slow = (ms: number) => `await new Promise((resolve) => setTimeout(resolve, ${ms})); `

/** Runs are told to the meter as those of a plan with these stages. */
function openMeter(ids: readonly string[], version?: number) {
  let used = 0
  const meter = createUsageMeter(() => used++)
  const plan = {
    pipelineId: 'p',
    ...(version !== undefined && { version }),
    stages: ids.map((id) => ({ id })),
  }
  return { meter, tally: meter.of(plan), plan, used: () => used }
}

test('runs and the stages that ran are counted, failures too, without an observer', async () => {
  const { meter, tally } = openMeter(['plain', 'slow', 'broken', 'off', 'never', 'behind'], 3)
  await using pipeline = open(
    script('plain', 'return {}') +
      script('slow', `${slow(30)}return {}`) +
      script('broken', 'null.x', '    continueOnError: true\n') +
      script('off', 'return {}', '    enabled: false\n') +
      script('never', 'return {}', "    trigger: { expression: '1 == 2' }\n") +
      script('behind', `${slow(40)}return { late: 1 }`, '    async: true\n'),
  )
  for (let i = 0; i < 3; i++) await pipeline.run({ url: '/a' }, { observers: [], tally })
  const rows = meter.take()
  expect(
    rows.map(({ pipelineId, version, stageId, calls, errors }) => [
      pipelineId,
      version,
      stageId,
      calls,
      errors,
    ]),
  ).toEqual([
    ['p', 3, null, 3, 0],
    ['p', 3, 'plain', 3, 0],
    ['p', 3, 'slow', 3, 0],
    ['p', 3, 'broken', 3, 3],
    ['p', 3, 'behind', 3, 0],
  ])
  const slowest = Object.fromEntries(rows.map(({ stageId, maxMs }) => [stageId ?? '', maxMs]))
  expect(slowest['']).toBeGreaterThan(20)
  expect(slowest['slow']).toBeGreaterThan(20)
  // The answer does not wait for it, and its time is counted all the same.
  expect(slowest['behind']).toBeGreaterThan(30)
  expect(meter.take()).toEqual([])
})

test('a run that fails is an error, one whose client left is none', async () => {
  const { meter, tally } = openMeter(['s'])
  await using pipeline = open(script('s', `${slow(20)}null.x`, '    continueOnError: false\n'))
  await pipeline.run({ url: '/a' }, { observers: [], tally })
  const left = AbortSignal.abort()
  await pipeline.run({ url: '/a' }, { observers: [], tally, signal: left })
  const [runs] = meter.take()
  expect(runs).toMatchObject({ stageId: null, calls: 2, errors: 1 })
})

test('a plan is known again, and word comes once until the counters are taken', () => {
  const { meter, tally, plan, used } = openMeter(['s'])
  const run = { code: 200, tookMs: 1, stageMs: [1], hasFailed: () => false }
  expect(meter.of(plan)).toBe(tally)
  tally(run)
  tally(run)
  expect(used()).toBe(1)
  meter.take()
  tally(run)
  expect([used(), meter.take()[0]?.calls]).toEqual([2, 1])
})
