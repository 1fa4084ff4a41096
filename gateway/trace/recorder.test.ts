import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../contract/context.ts'
import { GatewayEvent } from '../contract/events.ts'
import { Trace } from '../contract/trace.ts'
import { errors } from '../errors.ts'
import type { RunObserver } from '../runtime/observer.ts'
import { createRecorder } from './recorder.ts'
import { createTraceStore } from './store.ts'

const context = (body = '', more: Record<string, unknown> = {}): Context => ({
  request: {
    method: 'POST',
    url: 'http://h/movies?q=1',
    headers: { 'content-type': 'application/json' },
    body,
  },
  response: { code: 200, headers: {}, body: '' },
  envs: { key: 'hunter2' },
  ...more,
})
const stages = ['a', 'b', 'c'].map((id, index) => ({ id, index, async: id === 'b', needs: [] }))

const mask = (text: string) => text.replaceAll('hunter2', '••••')

function open({ maxBytes = 1_000_000, rate = 1 }: { maxBytes?: number; rate?: number } = {}) {
  const store = createTraceStore({ maxBytes, mask, version: '1.0.0' })
  const events: GatewayEvent[] = []
  const recorder = createRecorder({ store, mask, rate, emit: (event) => void events.push(event) })
  return { store, events, recorder }
}

/** Tells an observer of a whole run: `a` ok, `b` async and late, `c` failed and continued. */
function play(observer: RunObserver, { runId = 'r1', body = '{"n":1}' } = {}) {
  const start = context(body)
  const after = context('{"n":2}', { note: 'hunter2' })
  const request = {
    method: 'GET',
    url: 'http://user:secret@other/path?token=hunter2',
    headers: { authorization: 'Basic abc' },
    body: 'ask',
  }
  observer.runStarted?.({
    runId,
    pipelineId: 'p',
    file: 'p.yaml',
    method: 'POST',
    path: '/movies?q=1',
    stages,
    context: start,
    at: 1000,
  })
  observer.stageWaiting?.({ runId, stageId: 'b', at: 1001 })
  void observer.beforeStage?.({ runId, stageId: 'a', context: start, at: 1002 })
  observer.callStarted?.({ runId, stageId: 'a', callId: 1, at: 1003, request })
  observer.callEnded?.({
    runId,
    stageId: 'a',
    callId: 1,
    at: 1005,
    request,
    response: { code: 201, headers: { 'set-cookie': 'x' }, body: 'answer' },
  })
  observer.log?.({
    runId,
    stageId: 'a',
    level: 'log',
    at: 1004,
    values: [{ kind: 'json', text: '"hunter2"' }],
  })
  const output = { context: start, output: after, droppedWrites: [] }
  observer.afterStage?.({ runId, stageId: 'a', ...output, at: 1010 })
  void observer.beforeStage?.({ runId, stageId: 'b', context: after, at: 1011 })
  void observer.beforeStage?.({ runId, stageId: 'c', context: after, at: 1012 })
  observer.stageFailed?.({
    runId,
    stageId: 'c',
    context: after,
    at: 1015,
    continued: true,
    cancelled: false,
    error: errors.scriptThrew('TypeError: hunter2', { frames: ['f (c.js:1:2)'] }),
  })
  const response = { code: 200, headers: {}, body: 'done' }
  observer.responseReady?.({ runId, at: 1016, response, continued: ['c'] })
  const late = { context: after, output: { ...after, b: 1 }, droppedWrites: ['envs'] }
  observer.afterStage?.({ runId, stageId: 'b', ...late, at: 1030 })
  observer.runEnded?.({ runId, at: 1031 })
}

const record = (parts: ReturnType<typeof open>, options = {}) => {
  const [observer] = parts.recorder.observersOf(false)
  if (observer) play(observer, options)
  return parts
}

test('a trace holds every stage with status, times inside the run, waiting, calls and logs', () => {
  const trace = record(open()).store.get('r1')
  expect(Trace.parse(trace)).toEqual(trace)
  expect([trace?.startTime, trace?.responseTime, trace?.endTime, trace?.status]).toEqual([
    1002,
    1016,
    1030,
    'ok',
  ])
  expect(
    trace?.spans.map((span) => [
      span.stageId,
      span.status,
      span.queuedTime,
      span.startTime,
      span.endTime,
      span.waitMs,
    ]),
  ).toEqual([
    ['a', 'ok', 1002, 1002, 1010, 0],
    ['b', 'ok', 1002, 1011, 1030, 9],
    ['c', 'continued', 1012, 1012, 1015, 0],
  ])
  expect(trace?.spans[0]?.calls).toEqual([
    {
      stageId: 'a',
      method: 'GET',
      url: 'http://••••@other/path?token=••••',
      status: 201,
      startTime: 1003,
      endTime: 1005,
      requestBytes: 3,
      responseBytes: 6,
    },
  ])
  expect(trace?.spans[2]?.error).toEqual({
    type: 'SCRIPT_THREW',
    message: 'TypeError: ••••',
    stack: ['f (c.js:1:2)'],
  })
})

test('the changes of a stage are structural, and writes that were dropped are named', () => {
  const [a, b] = record(open()).store.get('r1')?.spans ?? []
  expect(a?.changes).toEqual([
    {
      kind: 'changed',
      path: ['request', 'body', 'n'],
      jsonFrom: 2,
      before: '1',
      after: '2',
    },
    { kind: 'added', path: ['note'], after: '"••••"' },
  ])
  expect(b?.droppedWrites).toEqual(['envs'])
})

test('no secret, no credential header and no user info is in anything that can be read', async () => {
  const { store, events } = record(open())
  await sleep(20)
  const everything = JSON.stringify([
    store.list(),
    store.get('r1'),
    store.stageSnapshot('r1', 'a'),
    store.har('r1'),
    events,
  ])
  expect(everything.match(/hunter2|Basic abc|user:secret|"x"/g)).toBeNull()
  expect(everything).toContain('••••')
})

test('events follow the contract: the run, each stage as it goes, and the end', async () => {
  const { events } = record(open())
  await sleep(20)
  for (const event of events) expect(GatewayEvent.parse(event)).toEqual(event)
  expect(
    events.map((event) =>
      event.type === 'run'
        ? `run ${event.run.status} ${event.run.endTime ?? ''}`
        : event.type === 'span' && `${event.span.stageId} ${event.span.status}`,
    ),
  ).toEqual([
    'run running ',
    'b waiting',
    'a running',
    'b running',
    'c running',
    'a ok',
    'c continued',
    'b ok',
    'run ok 1030',
  ])
})

test('snapshots are the very contexts, and an unknown run or stage has none', () => {
  const { store } = record(open())
  expect(store.stageSnapshot('r1', 'b')).toMatchObject({
    runId: 'r1',
    stageId: 'b',
    input: { note: '••••' },
    output: { b: 1 },
  })
  expect(store.stageSnapshot('r1', 'c')?.output).toBeUndefined()
  expect([store.stageSnapshot('r1', 'x'), store.stageSnapshot('r2', 'a')]).toEqual([
    undefined,
    undefined,
  ])
})

test('the store keeps within its bytes by dropping the oldest runs', () => {
  const parts = open({ maxBytes: 300_000 })
  const ids = Array.from({ length: 20 }, (_, at) => `r${at}`)
  for (const runId of ids) record(parts, { runId, body: 'x'.repeat(20_000) })
  const kept = parts.store.list().map(({ runId }) => runId)
  expect(parts.store.sizeBytes()).toBeLessThanOrEqual(300_000)
  expect(kept.length).toBeGreaterThan(2)
  expect(kept).toEqual(ids.toReversed().slice(0, kept.length))
})

test('a body that a run does not change is counted once', () => {
  const parts = open({ maxBytes: 100_000_000 })
  const [observer] = parts.recorder.observersOf(true)
  const big = context('x'.repeat(1_000_000))
  const runId = 'r'
  observer?.runStarted?.({
    runId,
    pipelineId: 'p',
    method: 'POST',
    path: '/',
    stages,
    context: big,
    at: 1,
  })
  for (const stageId of ['a', 'b', 'c']) {
    void observer?.beforeStage?.({ runId, stageId, context: big, at: 2 })
    const output = { ...big, [stageId]: 1 }
    observer?.afterStage?.({ runId, stageId, context: big, output, droppedWrites: [], at: 3 })
  }
  expect(parts.store.sizeBytes()).toBeLessThan(2_100_000)
})

test('a rate of nothing records nothing unless the workbench asks', () => {
  const { recorder } = open({ rate: 0 })
  expect([recorder.observersOf(false).length, recorder.observersOf(true).length]).toEqual([0, 1])
})

test('while nobody reads events none are made', async () => {
  const { store } = open()
  const events: unknown[] = []
  const recorder = createRecorder({
    store,
    mask: (text: string) => text,
    rate: 1,
    isWatched: () => false,
    emit: (event) => void events.push(event),
  })
  const [observer] = recorder.observersOf(false)
  if (observer) play(observer)
  await sleep(20)
  expect([events, store.get('r1')?.spans.length]).toEqual([[], 3])
})

test('a run is exported as HAR: its own exchange with exact bodies, then its calls', () => {
  const har = JSON.parse(JSON.stringify(record(open()).store.har('r1')))
  const [own, call, ...rest] = har.log.entries
  expect([har.log.version, rest]).toEqual(['1.2', []])
  expect(own).toMatchObject({
    startedDateTime: '1970-01-01T00:00:01.002Z',
    time: 14,
    request: {
      method: 'POST',
      url: 'http://h/movies?q=1',
      queryString: [{ name: 'q', value: '1' }],
      postData: { mimeType: 'application/json', text: '{"n":1}' },
    },
    response: { status: 200, statusText: 'OK', content: { text: 'done' } },
  })
  expect(call).toMatchObject({
    time: 2,
    request: { headers: [{ name: 'authorization', value: '••••' }] },
    response: { status: 201, content: { text: 'answer' } },
    comment: 'stage a',
  })
})
