import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { openSqliteSharedState } from '../state/sqlite-shared.ts'
import { openSqliteState } from '../state/sqlite.ts'
import { openGlobalEnvs } from './open-global-envs.ts'
import { openSecretStore } from './secret-store.ts'

let folder: ReturnType<typeof temporaryFolder>
let gateway: ReturnType<typeof open>

function open() {
  const file = join(folder.dir, 'state.db')
  const local = openSqliteState(file)
  const shared = openSqliteSharedState(file)
  const envs = openGlobalEnvs(shared, openSecretStore(local, folder.dir))
  return {
    ...envs,
    shared,
    async close() {
      await shared.close()
      local.close()
    },
  }
}

beforeEach(() => {
  folder = temporaryFolder()
  gateway = open()
})
afterEach(async () => {
  await gateway.close()
  folder[Symbol.dispose]()
})

const refusal = (code: string, status: number) => expect.objectContaining({ code, status })

test('an entry is kept with all it has, its value sealed, over a restart', async () => {
  const entry = {
    key: 'OPENAI_KEY',
    value: 'sk-very-secret',
    label: 'OpenAI',
    description: 'for embeddings',
    validate: { url: 'https://example.com', headers: { a: 'b' }, expected_status: 200 },
  }
  const created = await gateway.create(entry)
  expect(created).toEqual({
    ...entry,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: expect.any(Number),
    updated_at: created.created_at,
    etag: expect.any(String),
  })
  await gateway.close()
  for (const file of ['state.db', 'state.db-wal'])
    expect(readIfThere(file).includes('sk-very-secret')).toBe(false)
  gateway = open()
  expect(gateway.list()).toEqual([created])
  expect(gateway.values()).toEqual({ OPENAI_KEY: 'sk-very-secret' })
})

test('update keeps id and creation, and refuses an old etag, another key and an unknown one', async () => {
  const first = await gateway.create({ key: 'A', value: '1', label: 'old' })
  const second = await gateway.update('A', { key: 'A', value: '2' }, { ifMatch: first.etag })
  expect(second).toMatchObject({ id: first.id, created_at: first.created_at, value: '2' })
  expect(second).not.toHaveProperty('label')
  await expect(
    gateway.update('A', { key: 'A', value: '3' }, { ifMatch: first.etag }),
  ).rejects.toEqual(refusal('ETAG_MISMATCH', 412))
  await expect(gateway.update('A', { key: 'B', value: '3' })).rejects.toEqual(
    refusal('UNPROCESSABLE', 422),
  )
  await expect(gateway.update('B', { key: 'B', value: '3' })).rejects.toEqual(
    refusal('NOT_FOUND', 404),
  )
  await expect(gateway.create({ key: 'A', value: '4' })).rejects.toEqual(refusal('CONFLICT', 409))
  expect(gateway.values()).toEqual({ A: '2' })
})

test('apply creates and overwrites, and tells which values changed', async () => {
  await gateway.create({ key: 'SAME', value: '1' })
  await gateway.create({ key: 'OTHER', value: '1' })
  let changes = 0
  const stop = gateway.onChange(() => changes++)
  const entries = [
    { key: 'SAME', value: '1' },
    { key: 'OTHER', value: '2' },
    { key: 'NEW', value: '3' },
  ]
  expect(await gateway.apply(entries)).toEqual(['OTHER', 'NEW'])
  expect(await gateway.apply(entries)).toEqual([])
  expect(await gateway.apply([{ key: 'NEW', value: '3', label: 'named' }])).toEqual([])
  stop()
  expect(changes).toBe(3)
  expect(gateway.get('NEW')).toMatchObject({ label: 'named' })
})

test('remove is for good', async () => {
  const { etag } = await gateway.create({ key: 'A', value: '1' })
  await gateway.update('A', { key: 'A', value: '2' })
  await expect(gateway.remove('A', { ifMatch: etag })).rejects.toEqual(
    refusal('ETAG_MISMATCH', 412),
  )
  await gateway.remove('A')
  expect(gateway.list()).toEqual([])
  await expect(gateway.remove('A')).rejects.toEqual(refusal('NOT_FOUND', 404))
})

test('a sealed value that was moved to another key does not open', async () => {
  await gateway.create({ key: 'A', value: '1' })
  await gateway.shared.put('global-env', 'B', gateway.shared.get('global-env', 'A')?.value)
  expect(() => gateway.get('B')).toThrow('was sealed with another key')
})

const readIfThere = (file: string) => {
  try {
    return readFileSync(join(folder.dir, file))
  } catch {
    return Buffer.alloc(0)
  }
}
