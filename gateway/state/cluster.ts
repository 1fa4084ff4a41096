import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineConnection } from '../engine/client.ts'
import { errors, GatewayError } from '../errors.ts'
import { createClusterIndex, documentId, STATE_INDEX } from './cluster-index.ts'
import { createMirror } from './mirror.ts'
import type { SharedState, StateHealth } from './shared-state.ts'

/** Until everything was read once there is nothing to serve: it is tried more often. */
const FIRST_LOAD_MS = 1_000
const FIRST_PATIENCE_MS = 2_000
const FIRST_PAUSE_MS = 100

/**
 * Shared state in a hidden index of a search engine: any number of gateways use it at a time. Every
 * `intervalMs` one small search tells whether anything changed. While the engine is away, reads go on
 * with what was read last, writes fail, and `onHealth` has heard why.
 */
export function openClusterState(
  engine: EngineConnection,
  { intervalMs, onHealth }: { intervalMs: number; onHealth(health: StateHealth): void },
): SharedState {
  const index = createClusterIndex(engine)
  const mirror = createMirror()
  let health: StateHealth = { kind: 'cluster', isLoaded: false }
  /** The fingerprint of what the mirror shows; undefined when it has to be compared anew. */
  let seen: string | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  /** Own writes that are under way, and during a sync those that ended: newer than any listing. */
  const writing = new Map<string, number>()
  let written = new Set<string>()

  async function syncOnce() {
    written = new Set()
    const fingerprint = (await readFingerprint()) ?? (await recreate())
    if (fingerprint === seen) return
    const listed = await index.list()
    const changed = listed.filter(({ kind, key, etag }) => mirror.get(kind, key)?.etag !== etag)
    const documents = await index.read(changed.map(({ id }) => id))
    const isOwn = (kind: string, key: string) => {
      const id = documentId(kind, key)
      return writing.has(id) || written.has(id)
    }
    const changes: { kind: string; key: string }[] = []
    for (const { kind, document } of documents)
      if (!isOwn(kind, document.key)) {
        mirror.set(kind, document)
        changes.push({ kind, key: document.key })
      }
    const known = new Set(listed.map(({ kind, key }) => documentId(kind, key)))
    for (const { kind, document } of mirror.entries())
      if (!known.has(documentId(kind, document.key)) && !isOwn(kind, document.key)) {
        mirror.delete(kind, document.key)
        changes.push({ kind, key: document.key })
      }
    // Own writes may hide others' behind them: then the next sync compares everything once more.
    const isWhole = writing.size === 0 && written.size === 0 && documents.length === changed.length
    seen = isWhole ? fingerprint : undefined
    mirror.announce(changes)
  }

  /** An index that another gateway makes at this moment cannot be searched yet. */
  async function readFingerprint() {
    for (const began = Date.now(); ;)
      try {
        return await index.fingerprint()
      } catch (problem) {
        if (health.isLoaded || Date.now() - began > FIRST_PATIENCE_MS) throw problem
        await sleep(FIRST_PAUSE_MS)
      }
  }

  /** A first gateway makes the index. One that held documents and is gone is nothing to go on with. */
  async function recreate() {
    if (!mirror.entries().next().done)
      throw errors.stateUnavailable(
        `The index ${STATE_INDEX} of ${engine.url} is gone; restore it from a snapshot, or restart ` +
          'all gateways to begin with an empty state',
      )
    await index.create()
    return (await readFingerprint()) ?? '0:0'
  }

  async function syncAndTell() {
    try {
      await syncOnce()
      setHealth({ kind: 'cluster', isLoaded: true, syncedAt: Date.now() })
    } catch (problem) {
      setHealth({ ...health, problem: problem instanceof Error ? problem.message : 'unknown' })
      throw problem
    }
  }

  function setHealth(next: StateHealth) {
    const isNews = next.problem !== health.problem || next.isLoaded !== health.isLoaded
    health = next
    if (isNews) onHealth(next)
  }

  /** One sync at a time; a caller that comes during one needs the next, for it began too early. */
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  function sync() {
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined
        current = syncAndTell()
        return current
      })
    return next
  }

  function poll() {
    timer = setTimeout(
      () => void sync().then(poll, poll),
      health.isLoaded ? intervalMs : Math.min(intervalMs, FIRST_LOAD_MS),
    ).unref()
    if (isClosed) clearTimeout(timer)
  }

  async function write<T>(kind: string, key: string, work: () => Promise<T>) {
    if (!health.isLoaded || health.problem !== undefined) await sync()
    try {
      return await marked(documentId(kind, key), work)
    } catch (problem) {
      // When what won cannot be read, the loss is the news.
      if (problem instanceof GatewayError && problem.code === errors.etagMismatch.code)
        await readAgain(kind, key).catch(() => undefined)
      throw problem
    }
  }

  /** Whoever lost a race sees what won, even before a listing would show it. */
  function readAgain(kind: string, key: string) {
    const id = documentId(kind, key)
    return marked(id, async () => {
      const [found] = await index.read([id])
      if (found) mirror.set(kind, found.document)
      else mirror.delete(kind, key)
      mirror.announce([{ kind, key }])
    })
  }

  /** While a write runs and after it, no listing that began before may undo it in the mirror. */
  async function marked<T>(id: string, work: () => Promise<T>) {
    writing.set(id, (writing.get(id) ?? 0) + 1)
    try {
      return await work()
    } finally {
      written.add(id)
      // The mirror shows more than the fingerprint was taken of.
      seen = undefined
      const left = (writing.get(id) ?? 1) - 1
      if (left > 0) writing.set(id, left)
      else writing.delete(id)
    }
  }

  void sync().then(poll, poll)

  return {
    get: mirror.get,
    list: mirror.list,
    put: (kind, key, value, { ifVersion } = {}) =>
      write(kind, key, async () => {
        const text = JSON.stringify(value)
        const etag = await index.put(kind, key, text, ifVersion)
        const document = { key, value: JSON.parse(text) as unknown, etag }
        mirror.set(kind, document)
        mirror.announce([{ kind, key }])
        return document
      }),
    remove: (kind, key, { ifVersion } = {}) =>
      write(kind, key, async () => {
        const existed = await index.remove(kind, key, ifVersion)
        if (mirror.delete(kind, key)) mirror.announce([{ kind, key }])
        return existed
      }),
    onChange: mirror.onChange,
    sync,
    health: () => health,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await current.catch(() => undefined)
    },
  }
}
