import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import type { LogCategory, LogKind, LogOrder } from '../contract/gateway-api/logs.ts'
import { openLogStore } from './log-store.ts'
import type { StoredLog } from './to-stored.ts'

const DAY = 86_400_000
const KEEP = { records: 1_000, bytes: 10_000_000, ageMs: 30 * DAY }
const NOW = Date.now()

interface Facts {
  at?: number
  took?: number
  code?: number
  pipeline?: string
  body?: string
  kind?: LogKind
}

function logOf(id: string, facts: Facts = {}): StoredLog {
  const { at = NOW, took = 1, code = 200, pipeline = 'p', body = '', kind } = facts
  const request = { method: 'POST', url: '/a', headers: {}, body: '' }
  const response = { code, headers: {}, body }
  return {
    summary: {
      id,
      pipeline_id: pipeline,
      route: { path: '/a', method: 'POST' },
      ...(kind && { kind }),
      timestamp: new Date(at).toISOString(),
      took,
      status: 'ok',
      continued: [],
      request: { method: 'POST', uri: '/a', headers: {}, body: '' },
      response: { ...response, body: '' },
    },
    rest: {
      start: { request, response: { ...response, body: '' }, envs: {} },
      responseBody: body,
      stages: [],
      consoleLogs: [],
    },
  }
}

function openStore() {
  const folder = temporaryFolder()
  const file = join(folder.dir, 'logs.db')
  const store = openLogStore(file)
  const ids = (query: Partial<Parameters<typeof store.list>[0]> = {}, keep = KEEP) =>
    store
      .list({ from: 0, size: 100, order: 'timestamp_asc', ...query }, keep)
      .logs.map(({ id }) => id)
  return {
    file,
    store,
    ids,
    [Symbol.dispose]() {
      store.close()
      folder[Symbol.dispose]()
    },
  }
}

test('the oldest records go when there are too many, too large or too old', () => {
  using opened = openStore()
  const { store, ids } = opened
  const five = ['a', 'b', 'c', 'd', 'e']
  store.append(
    five.map((id, at) => logOf(id, { at: NOW - (5 - at) * DAY })),
    KEEP,
  )
  expect(ids()).toEqual(five)
  expect(ids({}, { ...KEEP, ageMs: 4.5 * DAY })).toEqual(['b', 'c', 'd', 'e'])
  expect(ids({}, { ...KEEP, records: 3 })).toEqual(['c', 'd', 'e'])
  store.append([logOf('f', { body: 'x'.repeat(50_000) })], { ...KEEP, bytes: 60_000 })
  expect(ids()).toEqual(['c', 'd', 'e', 'f'])
  store.append([logOf('g', { body: 'x'.repeat(50_000) })], { ...KEEP, bytes: 60_000 })
  expect(ids()).toEqual(['g'])
})

test('what was counted is known again after opening the file anew', () => {
  using opened = openStore()
  opened.store.append(
    ['a', 'b', 'c'].map((id) => logOf(id)),
    KEEP,
  )
  const again = openLogStore(opened.file)
  again.append([logOf('d')], { ...KEEP, records: 2 })
  again.close()
  expect(opened.ids()).toEqual(['c', 'd'])
})

test('a record with the id of another takes its place', () => {
  using opened = openStore()
  opened.store.append([logOf('a', { took: 1 }), logOf('b'), logOf('a', { took: 7 })], KEEP)
  const page = opened.store.list({ from: 0, size: 10, order: 'latency_desc' }, KEEP)
  expect([page.total, page.logs.map(({ id, took }) => [id, took])]).toEqual([
    2,
    [
      ['a', 7],
      ['b', 1],
    ],
  ])
})

test.each<[LogOrder, string[]]>([
  ['timestamp_desc', ['c', 'b', 'a']],
  ['timestamp_asc', ['a', 'b', 'c']],
  ['latency_desc', ['b', 'a', 'c']],
  ['latency_asc', ['c', 'a', 'b']],
])('sorted by %s', (order, expected) => {
  using opened = openStore()
  const took = { a: 5, b: 9, c: 1 }
  opened.store.append(
    Object.entries(took).map(([id, took], at) => logOf(id, { took, at: NOW + at })),
    KEEP,
  )
  expect(opened.ids({ order })).toEqual(expected)
  expect(opened.ids({ order, from: 1, size: 1 })).toEqual(expected.slice(1, 2))
})

test.each<[LogCategory, string[]]>([
  ['search', ['a', 'd']],
  ['index', ['b']],
  ['delete', ['c']],
  ['suggestion', []],
  ['success', ['a', 'b', 'c']],
  ['error', ['d']],
])('category %s', (category, expected) => {
  using opened = openStore()
  opened.store.append(
    [
      logOf('a', { kind: 'search' }),
      logOf('b', { kind: 'index', pipeline: 'q' }),
      logOf('c', { kind: 'delete' }),
      logOf('d', { kind: 'search', code: 404 }),
    ],
    KEEP,
  )
  expect(opened.ids({ category })).toEqual(expected)
  expect(opened.ids({ category, pipelineId: 'p' })).toEqual(expected.filter((id) => id !== 'b'))
})

test('the file is for its owner only, and gives room back', () => {
  using folder = temporaryFolder()
  const file = join(folder.dir, 'logs.db')
  const store = openLogStore(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const large = Array.from({ length: 30 }, (_, at) => logOf(`${at}`, { body: 'x'.repeat(900_000) }))
  store.append(large, { ...KEEP, bytes: 100_000_000 })
  store.append([logOf('last')], { ...KEEP, records: 1 })
  store.close()
  expect(statSync(file).size).toBeLessThan(2_000_000)
})
