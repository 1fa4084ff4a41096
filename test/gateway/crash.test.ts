import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSluice, temporaryFolder, type Sluice } from '../support/start-sluice.ts'

const LOADS = 50
/** Three process starts on a busy machine. */
const PATIENCE_MS = 90_000
const DOCUMENTS = 40

/** The process a gateway started: its local engine. */
function engineOf(gateway: number) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
      if (Number(fields?.[1]) === gateway) return Number(pid)
    } catch {
      // It ended between the listing and the look.
    }
  throw new Error(`gateway ${gateway} has no engine process`)
}

const bulkBody = (load: number) =>
  Array.from(
    { length: DOCUMENTS },
    (_, at) => `{"index":{"_id":"${load}-${at}"}}\n{"load":${load},"text":"document ${at}"}\n`,
  ).join('')

/** Sends bulk loads one after another until one fails or all are in; gives the acknowledged ids. */
async function loadUntilItFails(sluice: Sluice, onLoad: (load: number) => void) {
  const acknowledged: string[] = []
  for (let load = 0; load < LOADS; load++) {
    onLoad(load)
    try {
      const reply = await fetch(`${sluice.gateway}/crash/_bulk`, {
        method: 'POST',
        headers: { authorization: sluice.authorization, 'content-type': 'application/x-ndjson' },
        body: bulkBody(load),
      })
      const { items } = (await reply.json()) as {
        items?: { index: { _id: string; status: number } }[]
      }
      for (const { index } of items ?? []) if (index.status < 300) acknowledged.push(index._id)
    } catch {
      return acknowledged
    }
  }
  return acknowledged
}

/** Ids that are not there although their write was acknowledged. */
async function missing(sluice: Sluice, ids: readonly string[]) {
  const headers = { authorization: sluice.authorization, 'content-type': 'application/json' }
  const ask = async (path: string, body: string) => {
    for (;;) {
      const reply = await fetch(sluice.gateway + path, { method: 'POST', headers, body })
      if (reply.status < 500) return (await reply.json()) as unknown
      await sleep(100)
    }
  }
  const found = (await ask('/crash/_mget', JSON.stringify({ ids }))) as {
    docs: { _id: string; found: boolean }[]
  }
  await ask('/crash/_refresh', '')
  const search = { query: { ids: { values: ids } }, size: 0, track_total_hits: true }
  const counted = (await ask('/crash/_search', JSON.stringify(search))) as {
    hits: { total: { value: number } }
  }
  return {
    documents: found.docs.filter((doc) => !doc.found).map((doc) => doc._id),
    inIndex: ids.length - counted.hits.total.value,
  }
}

const nothing = { documents: [], inIndex: 0 }

test.skipIf(process.platform !== 'linux')(
  'kill -9 of the gateway in the middle of 50 bulk loads loses nothing acknowledged',
  async () => {
    using folder = temporaryFolder()
    const first = await startSluice([], { dataDir: folder.dir })
    const engine = engineOf(first.pid)
    const acknowledged = await loadUntilItFails(first, (load) => {
      if (load === LOADS / 2) setTimeout(() => process.kill(first.pid, 'SIGKILL'), 3)
    })
    await first.ended
    // The engine notices that its parent is gone and closes its data.
    const isThere = () => {
      try {
        return process.kill(engine, 0)
      } catch {
        return false
      }
    }
    while (isThere()) await sleep(20)
    await using second = await startSluice([], { dataDir: folder.dir })
    expect(acknowledged.length).toBeGreaterThanOrEqual((LOADS / 2) * DOCUMENTS)
    expect(await missing(second, acknowledged)).toEqual(nothing)
  },
  PATIENCE_MS,
)

test.skipIf(process.platform !== 'linux')(
  'kill -9 of the local engine in the middle of 50 bulk loads loses nothing acknowledged, and it comes back',
  async () => {
    await using sluice = await startSluice([])
    const engine = engineOf(sluice.pid)
    const acknowledged = await loadUntilItFails(sluice, (load) => {
      if (load === LOADS / 2) setTimeout(() => process.kill(engine, 'SIGKILL'), 3)
    })
    expect(acknowledged.length).toBeGreaterThanOrEqual((LOADS / 2) * DOCUMENTS)
    expect(await missing(sluice, acknowledged)).toEqual(nothing)
    expect(engineOf(sluice.pid)).not.toBe(engine)
  },
  PATIENCE_MS,
)
