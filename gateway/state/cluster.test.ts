import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCuttableProxy } from '../../test/support/cuttable-proxy.ts'
import { startTestLocalEngine, type TestEngine } from '../../test/support/engines.ts'
import { openConnection, type EngineConnection } from '../engine/connection.ts'
import { openClusterState } from './cluster.ts'
import type { SharedState, StateHealth } from './shared-state.ts'

let engine: TestEngine
let proxy: Awaited<ReturnType<typeof startCuttableProxy>>
let connection: EngineConnection
let state: SharedState
let heard: StateHealth[]

const open = () =>
  openClusterState(connection, { intervalMs: 60_000, onHealth: (health) => heard.push(health) })

beforeEach(async () => {
  engine = await startTestLocalEngine()
  proxy = await startCuttableProxy(engine.url)
  connection = openConnection('remote', proxy.url)
  heard = []
  state = open()
  await state.sync()
})
afterEach(async () => {
  await state.close()
  await connection.pool.close()
  await proxy[Symbol.asyncDispose]()
  await engine.stop()
})

const unavailable = { code: 'STATE_UNAVAILABLE', status: 503 }

test('while the engine is away reads go on, writes are refused, and it is told once', async () => {
  const written = await state.put('rule', 'a', 1)
  proxy.cut()
  await expect(state.sync()).rejects.toMatchObject(unavailable)
  await expect(state.sync()).rejects.toMatchObject(unavailable)
  await expect(state.put('rule', 'a', 2)).rejects.toMatchObject(unavailable)
  await expect(state.remove('rule', 'a')).rejects.toMatchObject(unavailable)
  expect(state.get('rule', 'a')).toEqual(written)
  expect(state.health()).toMatchObject({ isLoaded: true, syncedAt: expect.any(Number) })
  proxy.mend()
  expect(await state.put('rule', 'a', 3, { ifVersion: written.etag })).toMatchObject({ value: 3 })
  expect(heard.map(({ problem }) => problem)).toEqual([
    undefined,
    expect.stringContaining('The search engine at'),
    undefined,
  ])
})

test('an index that was removed is no empty state: it is told, and nothing is written', async () => {
  const written = await state.put('rule', 'a', 1)
  await fetch(`${engine.url}/.sluice-state`, { method: 'DELETE' })
  await expect(state.sync()).rejects.toThrow('.sluice-state')
  await expect(state.put('rule', 'b', 1)).rejects.toThrow('restore it from a snapshot')
  expect(state.list('rule')).toEqual([written])
  // Whoever starts anew makes a new one; the others follow.
  const other = open()
  await other.put('rule', 'c', 2)
  await state.sync()
  expect(state.list('rule').map(({ key }) => key)).toEqual(['c'])
  await other.close()
})

test('an engine that refuses says so with its own reason', async () => {
  const index = `${engine.url}/.sluice-state`
  await fetch(index, { method: 'DELETE' })
  await fetch(index, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mappings: { properties: { value: { type: 'integer' } } } }),
  })
  await expect(state.put('rule', 'a', 1)).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringMatching(/refused access to \.sluice-state with status 400: .*value/),
  })
  expect(state.get('rule', 'a')).toBeUndefined()
})

test('what answers and is no engine is told', async () => {
  const lines = openConnection('remote', `${engine.url}/_cat`)
  const wrong = openClusterState(lines, { intervalMs: 60_000, onHealth() {} })
  await expect(wrong.sync()).rejects.toMatchObject(unavailable)
  expect(wrong.health()).toMatchObject({ isLoaded: false, problem: expect.any(String) })
  await wrong.close()
  await lines.pool.close()
})
