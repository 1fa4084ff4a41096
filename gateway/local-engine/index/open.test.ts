import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openIndex } from './open.ts'
import type { Operation } from './operation.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-engine-index-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const open = (dir: string) =>
  openIndex({
    identity: { name: 'i', uuid: 'u' },
    dir,
    durability: 'async',
    refresh: { intervalMs: -1, isExplicit: true },
    shards: 1,
    maxResultWindow: 10_000,
    log: () => undefined,
  })

const put = (id: string, n = 1): Operation => ({
  kind: 'index',
  id,
  source: Buffer.from(`{"n":${n}}`),
})
const remove = (id: string): Operation => ({ kind: 'delete', id })

/** The index as it would be found if the process had died at this moment. */
async function afterCrash() {
  const copy = `${folder}-copy`
  cpSync(folder, copy, { recursive: true })
  const index = open(copy)
  try {
    const { count, rebuilds } = index.stats()
    const rows = index
      .target()
      .snapshot.segments.flatMap(({ segment, live }) =>
        [...segment.rows].filter((_, doc) => live === null || live[doc] === 1),
      )
    const ids = rows.map((row) => index.documents.getByRow(row)?.id)
    return { count, rebuilds, ids: ids.toSorted((a = '', b = '') => a.localeCompare(b)) }
  } finally {
    await index.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

test('what is pending when the index is persisted is applied again after a crash', async () => {
  vi.useFakeTimers()
  const index = open(folder)
  index.write([put('a'), put('b'), put('c')])
  index.refresh()
  index.write([put('d'), remove('a'), put('b', 2)])
  vi.advanceTimersByTime(6_000) // longer than the interval at which it persists
  expect(await afterCrash()).toEqual({ count: 3, rebuilds: 0, ids: ['b', 'c', 'd'] })
  index.write([put('a'), remove('c')])
  expect(await afterCrash()).toEqual({ count: 3, rebuilds: 0, ids: ['a', 'b', 'd'] })
  await index.close()
})

test('a transaction so large that it is persisted half way is whole after a crash', async () => {
  const index = open(folder)
  const operations = Array.from({ length: 22_000 }, (_, n) => put(`${n}`))
  index.write(operations)
  const { count, rebuilds } = await afterCrash()
  expect({ count, rebuilds }).toEqual({ count: 22_000, rebuilds: 0 })
  await index.close()
})

test('a document that comes back keeps its row while its deletion is remembered', async () => {
  const index = open(folder)
  index.write([put('a')])
  index.flush()
  const row = index.documents.head('a')?.row
  index.write([remove('a')])
  index.write([put('a', 2)])
  expect(index.documents.head('a')).toMatchObject({ row, version: 3 })
  expect(await afterCrash()).toEqual({ count: 1, rebuilds: 0, ids: ['a'] })
  await index.close()
})

test('a reader keeps what it saw while documents change, are merged and go', async () => {
  const index = open(folder)
  for (let n = 0; n < 5; n++) {
    index.write([put(`${n}`)])
    index.refresh()
  }
  const before = index.target().snapshot
  const alive = () =>
    before.segments.map(({ segment, live }) => [
      segment.docCount,
      live === null ? 'all' : [...live],
    ])
  const seen = alive()
  index.write([remove('1'), put('2', 7)])
  index.refresh()
  await index.forceMerge(1)
  expect(alive()).toEqual(seen)
  expect(index.target().snapshot.segments).toHaveLength(1)
  expect(index.stats()).toMatchObject({ count: 4, deleted: 0 })
  await index.close()
})
