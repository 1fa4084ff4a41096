import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { send, startEngine, temporaryFolder } from './engine.ts'
import { forkEngine } from './process.ts'

const ROUNDS = 10
const BULKS = 50
const BULK_SIZE = 40

const words = ['salt', 'wind', 'stone', 'light', 'river', 'glass']
const document = (round: number, n: number) => ({
  text: `${words[n % 6]} ${words[(n * 7 + round) % 6]} ${words[(n * 5) % 6]}`,
  round,
  n,
})

function openStore(dataDir: string, n = 0) {
  const [path] = globSync(join(dataDir, 'indices/*/index.db')).slice(n)
  return new DatabaseSync(path ?? '')
}

test(
  `kill -9 in the middle of ${BULKS} bulk loads, ${ROUNDS} times: nothing acknowledged is lost`,
  { timeout: 240_000 },
  async () => {
    await using folder = await temporaryFolder()
    const acknowledged = new Map<string, number>()
    const deleted = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const engine = await forkEngine({ dataDir: folder.path, port: 0 })
      const killAt = 5 + ((round * 17) % (BULKS - 5))
      let bulks = 0
      let killed: Promise<void> | undefined
      for (; bulks < BULKS; bulks++) {
        const lines: object[] = []
        const ids: string[] = []
        for (let i = 0; i < BULK_SIZE; i++) {
          const n = bulks * BULK_SIZE + i
          // Every fourth one replaces a document of an earlier round.
          const id = n % 4 === 0 ? `shared-${n}` : `${round}-${n}`
          ids.push(id)
          lines.push({ index: { _index: 'load', _id: id } }, document(round, n))
        }
        const victim = bulks % 5 === 0 ? `${round}-${bulks * BULK_SIZE - 3}` : undefined
        if (victim !== undefined) lines.push({ delete: { _index: 'load', _id: victim } })
        if (bulks === killAt) {
          // While the bulk is on its way, at another moment of it in every round.
          const delay = round * 2
          killed = new Promise((resolve) => setTimeout(resolve, delay)).then(engine.kill)
        }
        const refresh = bulks % 7 === 0 ? '?refresh=true' : bulks % 11 === 0 ? '?refresh=false' : ''
        try {
          const { body } = await send(engine.url, 'POST', `/_bulk${refresh}`, lines)
          if (body.errors !== false && victim === undefined) throw new Error(JSON.stringify(body))
          for (const id of ids) {
            acknowledged.set(id, round)
            deleted.delete(id)
          }
          if (victim !== undefined) {
            acknowledged.delete(victim)
            deleted.add(victim)
          }
          if (bulks % 13 === 0) await send(engine.url, 'POST', '/load/_flush')
        } catch (error) {
          if (!killed) throw error
          // Nobody knows whether the last bulk was committed, so its deletion may have happened.
          if (victim !== undefined) acknowledged.delete(victim)
          break
        }
      }
      await killed
      expect(bulks).toBeGreaterThanOrEqual(killAt)

      await using again = await startEngine({ dataDir: folder.path })
      const lost: string[] = []
      const all = [...acknowledged]
      for (let from = 0; from < all.length; from += 1000) {
        const some = all.slice(from, from + 1000)
        const { body } = await again.send('POST', '/load/_mget', { ids: some.map(([id]) => id) })
        for (const [i, [id, atLeast]] of some.entries()) {
          const found = body.docs[i]
          if (!found.found || found._source.round < atLeast) lost.push(id)
        }
      }
      expect(lost).toEqual([])
      for (const id of deleted)
        expect((await again.send('HEAD', `/load/_doc/${id}`)).status).toBe(404)
      await expectIndexEqualsDocuments(again, folder.path)
    }
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * 5 * BULK_SIZE * 0.7)
  },
)

/** Every document of the store is found by a search, and nothing else is. */
async function expectIndexEqualsDocuments(
  engine: Awaited<ReturnType<typeof startEngine>>,
  dataDir: string,
) {
  await engine.send('POST', '/load/_refresh')
  const stats = await engine.send('GET', '/load/_stats')
  expect(stats.body._all.primaries.local_engine.rebuilds).toBe(0)
  using store = openStore(dataDir)
  expect(store.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const stored = store.prepare('select id, source from docs').all()
  const perWord = new Map<string, number>()
  for (const { source } of stored) {
    const { text } = JSON.parse(Buffer.from(source as Uint8Array).toString())
    for (const word of new Set<string>(text.split(' ')))
      perWord.set(word, (perWord.get(word) ?? 0) + 1)
  }
  const { body } = await engine.send('GET', '/load/_count')
  expect(body.count).toBe(stored.length)
  for (const [word, count] of perWord) {
    const found = await engine.send('POST', '/load/_count', { query: { match: { text: word } } })
    expect([word, found.body.count]).toEqual([word, count])
  }
}

test('a clean restart keeps documents, versions, mappings and settings, and opens what is sealed', async () => {
  await using folder = await temporaryFolder()
  const before = await startEngine({ dataDir: folder.path })
  await before.send('PUT', '/keep', {
    settings: { number_of_replicas: 0 },
    mappings: { properties: { k: { type: 'keyword' } } },
  })
  for (const n of [1, 2, 3]) await before.send('PUT', `/keep/_doc/${n}`, { k: `v${n}`, extra: n })
  await before.send('PUT', '/keep/_doc/2', { k: 'again' })
  await before.send('DELETE', '/keep/_doc/3')
  await before.send('PUT', '/gone/_doc/1', { a: 1 })
  await before.send('DELETE', '/gone')
  const mapping = (await before.send('GET', '/keep')).body
  const search = { query: { match_all: {} }, sort: ['k'] }
  await before.send('POST', '/keep/_refresh')
  const hits = (await before.send('POST', '/keep/_search', search)).body.hits
  await before.close()

  await using after = await startEngine({ dataDir: folder.path })
  expect(after.documents).toBe(2)
  expect((await after.send('GET', '/keep')).body).toEqual(mapping)
  expect((await after.send('POST', '/keep/_search', search)).body.hits).toEqual(hits)
  expect((await after.send('GET', '/keep/_doc/2')).body).toMatchObject({ _version: 2, _seq_no: 3 })
  expect((await after.send('PUT', '/keep/_doc/3', { k: 'x' })).body).toMatchObject({
    _version: 3,
    _seq_no: 5,
  })
  expect((await after.send('GET', '/gone')).status).toBe(404)
  expect(globSync(join(folder.path, 'indices/*'))).toHaveLength(1)
})

test('a damaged segment is built anew from the documents, and reported', async () => {
  await using folder = await temporaryFolder()
  const before = await startEngine({ dataDir: folder.path })
  for (const n of [1, 2, 3])
    await before.send('PUT', `/load/_doc/${n}?refresh=true`, document(1, n))
  await before.close()
  const store = openStore(folder.path)
  const { n, bytes } = store.prepare('select n, bytes from segments limit 1').get() ?? {}
  const damaged = Buffer.from(bytes as Uint8Array)
  damaged[damaged.length - 9] = (damaged.at(-9) ?? 0) ^ 0xff
  store.prepare('update segments set bytes = ? where n = ?').run(damaged, n ?? 0)
  store.close()

  const engine = await forkEngine({ dataDir: folder.path, port: 0 })
  const { body } = await send(engine.url, 'GET', '/load/_stats')
  expect(body._all.primaries).toMatchObject({
    docs: { count: 3 },
    local_engine: { rebuilds: 1 },
  })
  const found = await send(engine.url, 'POST', '/load/_count', {
    query: { match: { text: 'wind' } },
  })
  expect(found.body.count).toBeGreaterThan(0)
  expect(engine.log()).toContain('"event":"index.rebuilt"')
  expect(await engine.stop()).toBe(0)

  await using again = await startEngine({ dataDir: folder.path })
  const after = await again.send('GET', '/load/_stats')
  expect(after.body._all.primaries.local_engine.rebuilds).toBe(0)
})

test('an index that lost a document is built anew', async () => {
  await using folder = await temporaryFolder()
  const before = await startEngine({ dataDir: folder.path })
  for (const n of [1, 2, 3])
    await before.send('PUT', `/load/_doc/${n}?refresh=true`, document(1, n))
  await before.close()
  const store = openStore(folder.path)
  store.exec("update meta set value = '[]' where key = 'segments'")
  store.close()
  await using after = await startEngine({ dataDir: folder.path })
  expect((await after.send('GET', '/load/_count')).body.count).toBe(3)
  const { body } = await after.send('GET', '/load/_stats')
  expect(body._all.primaries.local_engine.rebuilds).toBe(1)
})

test('many small segments are merged, and their documents keep their order', async () => {
  await using engine = await startEngine()
  for (let n = 0; n < 60; n++)
    await engine.send('PUT', `/load/_doc/${n}?refresh=true`, document(1, n))
  for (let n = 0; n < 60; n += 7) await engine.send('DELETE', `/load/_doc/${n}?refresh=true`)
  const expected = Array.from({ length: 60 }, (_, n) => n).filter((n) => n % 7 !== 0)
  const ids = async () => {
    const { body } = await engine.send('POST', '/load/_search', { size: 100 })
    return body.hits.hits.map(({ _id }: { _id: string }) => Number(_id))
  }
  expect(await ids()).toEqual(expected)
  const { body } = await engine.send('GET', '/load/_stats')
  expect(body._all.primaries.segments.count).toBeLessThan(20)
  await engine.send('POST', '/load/_forcemerge?max_num_segments=1')
  const merged = await engine.send('GET', '/load/_stats')
  expect(merged.body._all.primaries).toMatchObject({
    segments: { count: 1 },
    docs: { count: expected.length, deleted: 0 },
  })
  expect(await ids()).toEqual(expected)
})

test('a large merge happens in a worker while documents change', { timeout: 60_000 }, async () => {
  await using engine = await startEngine()
  const load = async (from: number, count: number) => {
    const lines = []
    for (let n = from; n < from + count; n++)
      lines.push({ index: { _index: 'load', _id: `${n}` } }, document(1, n))
    await engine.send('POST', '/_bulk?refresh=true', lines)
  }
  for (let i = 0; i < 3; i++) await load(i * 2500, 2500)
  const merging = engine.send('POST', '/load/_forcemerge?max_num_segments=1')
  await engine.send('DELETE', '/load/_doc/10?refresh=true')
  await engine.send('PUT', '/load/_doc/11?refresh=true', { text: 'changed meanwhile' })
  expect((await merging).status).toBe(200)
  expect((await engine.send('GET', '/load/_count')).body.count).toBe(7499)
  const found = await engine.send('POST', '/load/_search', {
    query: { match: { text: 'meanwhile' } },
  })
  expect(found.body.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['11'])
})

test('the process says when it is ready, and stops cleanly in every way it is asked to', async () => {
  await using folder = await temporaryFolder()
  const options = { dataDir: folder.path, port: 0 }
  for (const way of ['stop', 'terminate', 'disconnect'] as const) {
    const engine = await forkEngine(options)
    expect(engine.message).toMatchObject({ event: 'ready', documents: expect.any(Number) })
    await send(engine.url, 'PUT', `/load/_doc/${way}`, { text: way })
    expect(await engine[way]()).toBe(0)
  }
  await using after = await startEngine({ dataDir: folder.path })
  expect((await after.send('GET', '/load/_count')).body.count).toBe(3)
})

test('a folder or port in use is a failure that says so', async () => {
  await using engine = await startEngine()
  const locked = await forkEngine({ dataDir: engine.dataDir, port: 0 })
  expect(locked.message).toMatchObject({ event: 'failed', code: 'DATA_DIR_LOCKED' })
  await using folder = await temporaryFolder()
  const taken = await forkEngine({ dataDir: folder.path, port: engine.port })
  expect(taken.message).toMatchObject({
    event: 'failed',
    code: 'PORT_IN_USE',
    message: expect.stringContaining(String(engine.port)),
  })
})
