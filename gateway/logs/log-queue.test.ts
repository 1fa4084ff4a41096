import { expect, test } from 'vitest'
import { createLogQueue } from './log-queue.ts'
import type { RawLog } from './raw-log.ts'

const BOUNDS = { bodyChars: 1_000_000, marginChars: 0 }

const logOf = (id: string, extra: Record<string, unknown> = {}): RawLog => ({
  id,
  pipelineId: 'p',
  route: { path: '/a', method: 'POST' },
  startTime: 0,
  tookMs: 1,
  status: 'ok',
  continued: [],
  method: 'POST',
  uri: '/a',
  start: {
    request: { method: 'POST', url: '/a', headers: {}, body: '' },
    response: { code: 200, headers: {}, body: '' },
    envs: {},
    ...extra,
  },
  response: { code: 200, headers: {}, body: '' },
  stages: [],
  consoleLogs: [],
})

/** A queue in front of a disk that takes nothing until it is let go. */
function openQueue() {
  const written: string[] = []
  const lost: [number, string][] = []
  const gate = Promise.withResolvers<void>()
  const queue = createLogQueue({
    bounds: () => BOUNDS,
    async write(records) {
      await gate.promise
      // Safe: made by logOf.
      written.push(...records.map(({ json }) => (JSON.parse(json) as RawLog).id))
      return []
    },
    lost: (count, why) => void lost.push([count, why]),
  })
  return { queue, written, lost, letGo: gate.resolve, fail: gate.reject }
}

test('everything added before is written when a flush ends, in order', async () => {
  const { queue, written, letGo } = openQueue()
  const ids = Array.from({ length: 100 }, (_, at) => `${at}`)
  for (const id of ids) queue.add(logOf(id))
  letGo()
  await queue.flush()
  expect([written, queue.dropped()]).toEqual([ids, 0])
})

test('a flush of nothing does not keep later records from being written', async () => {
  const { queue, written, letGo } = openQueue()
  letGo()
  await queue.flush()
  queue.add(logOf('a'))
  await queue.flush()
  queue.add(logOf('b'))
  await expect.poll(() => written).toEqual(['a', 'b'])
})

test('while the disk stands still the oldest are dropped, counted and told once', async () => {
  const { queue, written, lost, letGo } = openQueue()
  for (let at = 0; at < 5_000; at++) queue.add(logOf(`${at}`))
  letGo()
  await queue.flush()
  expect(queue.dropped()).toBe(5_000 - written.length)
  expect(written.length).toBeLessThan(2_100)
  expect(written.at(-1)).toBe('4999')
  expect(lost).toEqual([[queue.dropped(), 'they came faster than they could be written']])
})

test('large records are dropped by their size', async () => {
  const { queue, written, letGo } = openQueue()
  for (let at = 0; at < 200; at++) queue.add(logOf(`${at}`, { large: 'x'.repeat(1_000_000) }))
  letGo()
  await queue.flush()
  expect(written.length).toBeLessThan(70)
  expect(written.at(-1)).toBe('199')
})

test('a batch that cannot be written is lost and told; the next ones are written', async () => {
  const { queue, lost, fail } = openQueue()
  queue.add(logOf('a'))
  fail(new Error('disk full'))
  await queue.flush()
  expect([queue.dropped(), lost]).toEqual([1, [[1, 'disk full']]])
})
