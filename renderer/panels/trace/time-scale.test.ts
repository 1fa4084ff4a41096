import { expect, test } from 'vitest'
import type { Span, Trace } from '../../../gateway/contract/trace.ts'
import { boundsOf, shareOf, ticksOf } from './time-scale.ts'

const span = (status: Span['status'], startTime: number, endTime?: number): Span => ({
  runId: 'r',
  stageId: `s${startTime}`,
  index: 0,
  async: false,
  needs: [],
  status,
  queuedTime: startTime,
  startTime,
  ...(endTime !== undefined && { endTime }),
  waitMs: 0,
  changes: [],
  droppedWrites: [],
  logs: [],
  calls: [],
})

const trace = (status: Trace['status'], spans: Span[]): Trace => ({
  runId: 'r',
  pipelineId: 'p',
  method: 'POST',
  path: '/',
  status,
  startTime: 1000,
  continued: [],
  spans,
})

test('a finished run lasts until its last stage, those behind the response included', () => {
  const done = trace('ok', [span('ok', 1000, 1020), span('ok', 1010, 1090)])
  expect(boundsOf({ ...done, responseTime: 1030 }, 9999)).toEqual({ start: 1000, end: 1090 })
})

test('a run that goes on lasts until now', () => {
  expect(boundsOf(trace('running', [span('running', 1000)]), 1234)).toEqual({
    start: 1000,
    end: 1234,
  })
})

test('stages that never ran do not stretch the axis', () => {
  const { end } = boundsOf(trace('ok', [span('ok', 1000, 1010), span('disabled', 5000, 5000)]), 0)
  expect(end).toBe(1010)
})

test('a run without any length still has an axis', () => {
  expect(boundsOf(trace('ok', []), 0)).toEqual({ start: 1000, end: 1000.1 })
})

test('moments outside the bounds are put on their edge', () => {
  const bounds = { start: 1000, end: 1100 }
  expect([900, 1025, 2000].map((time) => shareOf(bounds, time))).toEqual([0, 0.25, 1])
})

test.each([
  [84, 5, ['0', '20 ms', '40 ms', '60 ms', '80 ms']],
  [1, 4, ['0', '0.5 ms', '1.0 ms']],
  [0.1, 2, ['0', '0.05 ms', '0.10 ms']],
  [2600, 4, ['0', '1 s', '2 s']],
  [12_000, 3, ['0', '5 s', '10 s']],
])('%d ms with room for %d marks', (totalMs, most, labels) => {
  expect(ticksOf(totalMs, most).map(({ label }) => label)).toEqual(labels)
})
