import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteState } from '../state/sqlite.ts'
import { openSecretStore } from './secret-store.ts'

let dir: string
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'sluice-secrets-'))))
afterEach(() => {
  delete process.env.SLUICE_SECRET_KEY
  rmSync(dir, { recursive: true })
})

const open = () => {
  const state = openSqliteState(join(dir, 'state.db'))
  return { state, secrets: openSecretStore(state, dir) }
}

test('a secret comes back after a restart and is not readable on disk', () => {
  const first = open()
  first.secrets.put('engine', 'correct horse battery')
  first.state.close()
  const second = open()
  expect(second.secrets.get('engine')).toBe('correct horse battery')
  expect([...second.secrets.known()]).toEqual(['correct horse battery'])
  second.state.close()
  for (const file of ['state.db'])
    expect(readFileSync(join(dir, file)).includes('correct horse')).toBe(false)
})

test('a secret sealed with another key says so instead of giving nonsense', () => {
  process.env.SLUICE_SECRET_KEY = 'one'
  const first = open()
  first.secrets.put('engine', 'value')
  first.state.close()
  process.env.SLUICE_SECRET_KEY = 'two'
  const second = open()
  expect(() => second.secrets.get('engine')).toThrow(/sealed with another key/)
  second.state.close()
})

test('a sealed value moved under another name does not open', () => {
  const { state, secrets } = open()
  secrets.put('a', 'value')
  state.put('secret', 'b', state.get('secret', 'a'))
  expect(() => secrets.get('b')).toThrow(/another key/)
  state.close()
})
