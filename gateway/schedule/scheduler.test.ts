import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ScheduleNotice } from '../contract/schedule.ts'
import { parseSchedule } from '../pipeline/cron-schedule.ts'
import { createScheduler, type ScheduledWork } from './scheduler.ts'

const START = Date.parse('2026-01-01T00:00:00.250Z')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START })
})
afterEach(() => void vi.useRealTimers())

/** A scheduler whose runs take a while and are noted down as `work@seconds since the start`. */
function open({ takesMs = 0, claim = async (_id: string, _tick: number) => true } = {}) {
  const ran: string[] = []
  const notices: ScheduleNotice[] = []
  const scheduler = createScheduler<string>({
    claim,
    async run(work) {
      ran.push(`${work}@${Math.floor((Date.now() - START) / 1_000)}`)
      if (takesMs > 0) await new Promise((done) => setTimeout(done, takesMs))
    },
    report: (notice) => void notices.push(notice),
  })
  return { scheduler, ran, notices, told: () => notices.map(({ kind, count }) => [kind, count]) }
}

const work = (
  schedule: string,
  more: Partial<ScheduledWork<string>> = {},
): ScheduledWork<string> => ({
  pipelineId: 'p',
  schedule: parseSchedule(schedule),
  work: 'w',
  ...more,
})
const EVERY_SECOND = '* * * * * *'
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)
/** The machine sleeps: time goes by, and no timer rings. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms)

test('every tick runs once, and schedules far ahead are waited for', async () => {
  const { scheduler, ran, told } = open()
  scheduler.plan([work(EVERY_SECOND), work('0 3 * * *', { pipelineId: 'q', work: 'night' })])
  await seconds(3)
  expect(ran).toEqual(['w@0', 'w@1', 'w@2'])
  scheduler.plan([work('0 3 * * *', { pipelineId: 'q', work: 'night' })])
  await seconds(3 * 3_600)
  expect([ran.slice(3), told()]).toEqual([['night@10799'], []])
})

test('a tick that is a little late runs all the same, one that is very late does not', async () => {
  const { scheduler, ran, notices } = open()
  scheduler.plan([work('0 * * * *')])
  await seconds(3_590)
  sleep(8_000)
  await seconds(60)
  expect([ran.length, notices]).toEqual([1, []])
  await seconds(3_400)
  sleep(4_000_000)
  await seconds(60)
  expect(ran.length).toBe(1)
  expect(notices).toMatchObject([
    {
      kind: 'missed',
      count: 2,
      tick: Date.parse('2026-01-01T02:00:00Z'),
      message: expect.stringContaining('2 runs from 2026-01-01T02:00:00.000Z on did not happen'),
    },
  ])
})

test('of ticks that were slept through the last one runs, and the others are reported', async () => {
  const { scheduler, ran, told } = open()
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(1)
  sleep(10_000)
  await seconds(1)
  expect([ran, told()]).toEqual([['w@0', 'w@11'], [['missed', 10]]])
})

test('a long sleep is not counted second by second', async () => {
  const { scheduler, ran, notices } = open()
  scheduler.plan([work(EVERY_SECOND)])
  sleep(7 * 24 * 3_600_000)
  await seconds(1)
  expect(ran.length).toBe(1)
  expect(notices[0]?.message).toContain('At least 500 runs')
  await seconds(2)
  expect(ran.length).toBe(3)
})

test('a clock that is set back runs nothing twice', async () => {
  const { scheduler, ran } = open()
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(2)
  sleep(-2_000)
  await seconds(1)
  expect(ran).toEqual(['w@0', 'w@1'])
  await seconds(2)
  expect(ran.length).toBe(3)
})

test('the run before must be over, and what was left out is told once', async () => {
  const { scheduler, ran, notices } = open({ takesMs: 3_500 })
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(9)
  expect(ran).toEqual(['w@0', 'w@4', 'w@8'])
  expect(notices).toMatchObject([
    { kind: 'overlap', count: 3, tick: Date.parse('2026-01-01T00:00:02Z') },
    { kind: 'overlap', count: 3, tick: Date.parse('2026-01-01T00:00:06Z') },
  ])
})

test('a pipeline that went and came back still waits for its own run', async () => {
  const { scheduler, ran } = open({ takesMs: 2_500 })
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(1)
  scheduler.plan([])
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(2)
  expect(ran).toEqual(['w@0'])
})

test('of several gateways one runs a tick, and all ask for the same ones', async () => {
  const taken = new Set<string>()
  const claim = async (pipelineId: string, tick: number) => {
    const key = `${pipelineId} ${tick}`
    return taken.has(key) ? false : taken.add(key) !== undefined
  }
  const gateways = [open({ claim }), open({ claim })]
  for (const { scheduler } of gateways) scheduler.plan([work(EVERY_SECOND)])
  await seconds(4)
  expect(gateways.flatMap(({ ran }) => ran).toSorted()).toEqual(['w@0', 'w@1', 'w@2', 'w@3'])
  expect([...taken][0]).toBe(`p ${Date.parse('2026-01-01T00:00:01Z')}`)
})

test('a claim that cannot be made is reported, and the next tick is tried', async () => {
  let calls = 0
  const claim = async () => {
    if (calls++ === 0) throw new Error('The store is away')
    return true
  }
  const { scheduler, ran, notices } = open({ claim })
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(2)
  expect(ran).toEqual(['w@1'])
  expect(notices).toMatchObject([{ kind: 'failed', message: expect.stringContaining('is away') }])
})

test('planning anew keeps the next tick and takes the new work', async () => {
  const { scheduler, ran, told } = open()
  for (let round = 0; round < 30; round++) {
    scheduler.plan([work(EVERY_SECOND, { work: `w${round}` })])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect([ran, told()]).toEqual([['w7@0', 'w17@1', 'w27@2'], []])
})

test('a tick that is due while the plans change is neither lost nor doubled', async () => {
  const { scheduler, ran, told } = open()
  scheduler.plan([work('*/2 * * * * *', { work: 'old' })])
  await seconds(1)
  // The timer for second 2 has not rung yet: something else held the process.
  sleep(800)
  scheduler.plan([work(EVERY_SECOND, { work: 'new' })])
  scheduler.plan([work('*/3 * * * * *', { work: 'newer' })])
  await seconds(2)
  expect([ran, told()]).toEqual([['old@1', 'newer@2'], []])
})

test('outside of its timeframe a pipeline does not run, and misses nothing', async () => {
  const { scheduler, ran, told } = open()
  const [startTime, endTime] = [START + 1_750, START + 3_750]
  scheduler.plan([work(EVERY_SECOND, { startTime, endTime })])
  await seconds(6)
  expect(ran).toEqual(['w@1', 'w@2'])
  sleep(5_000)
  await seconds(1)
  expect(told()).toEqual([])
})

test('once closed nothing starts, and a run that is going is waited for', async () => {
  const { scheduler, ran } = open({ takesMs: 1_500 })
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(1)
  let isClosed = false
  const closing = scheduler.close().then(() => (isClosed = true))
  await seconds(1)
  expect(isClosed).toBe(false)
  await seconds(1)
  await closing
  scheduler.plan([work(EVERY_SECOND)])
  await seconds(5)
  expect([isClosed, ran]).toEqual([true, ['w@0']])
})
