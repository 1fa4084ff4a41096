import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexIdentity } from '../errors.ts'
import { EngineFailure } from '../errors.ts'
import { parseJsonText } from '../json/parse.ts'
import { writeJson } from '../json/write.ts'
import { echoMapping } from '../mapping/echo.ts'
import { createFieldLookup } from '../mapping/lookup.ts'
import { EMPTY_MAPPING, type Mapping } from '../mapping/mapper.ts'
import { mergeMapping } from '../mapping/merge.ts'
import { parseMapping } from '../mapping/parse.ts'
import type { SearchTarget } from '../search/target.ts'
import type { Snapshot } from '../segment/segment.ts'
import { createDocumentStore } from '../store/documents.ts'
import { createMetaStore } from '../store/meta.ts'
import { openIndexDatabase, setDurability, type Durability } from '../store/schema.ts'
import { createSegmentStore } from '../store/segments.ts'
import { inTransaction } from '../store/sqlite.ts'
import { chooseMerge } from './merge-policy.ts'
import { diedSince, merge } from './merge.ts'
import type { Operation } from './operation.ts'
import { createPendingBuffer } from './pending.ts'
import { createPersistence } from './persist.ts'
import { createRefreshSchedule, type RefreshPolicy } from './refresh.ts'
import { createSealedSegments, type Sealed } from './sealed.ts'
import { readSource, writeAll } from './write.ts'

const MAPPING = 'mapping'
/** Sealing more at once would hold requests up. */
const SEAL_DOCS = 5_000
const SEAL_BYTES = 64 * 1024 * 1024
const PERSIST_DOCS = 20_000
const PERSIST_MS = 5_000

/** What opening an index needs to know. */
export interface IndexOptions {
  readonly identity: IndexIdentity
  /** Folder of this index; made when it does not exist. */
  readonly dir: string
  readonly durability: Durability
  readonly refresh: RefreshPolicy
  readonly shards: number
  readonly maxResultWindow: number
  /** Of a new index only. */
  readonly mapping?: Mapping
  /** Told of what a user should know and no request can answer. */
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void
}

/** Opens one index: loads its segments, applies what came after them, or builds them anew. */
export function openIndex(options: IndexOptions) {
  const { identity, dir, log } = options
  mkdirSync(dir, { recursive: true })
  const db = openIndexDatabase(join(dir, 'index.db'), options.durability)
  const documents = createDocumentStore(db)
  const meta = createMetaStore(db)
  const segments = createSegmentStore(db)
  const persistence = createPersistence({ db, documents, segments, meta })
  const sealed = createSealedSegments()
  const pending = createPendingBuffer()
  const schedule = createRefreshSchedule(options.refresh, refresh)

  const storeMapping = (next: Mapping) => meta.set(MAPPING, writeJson(echoMapping(next)))
  let mapping = loadMapping()
  let lookup = createFieldLookup(mapping)
  let snapshot: Snapshot = { segments: [] }
  let nextSegment = 0
  let nextSeqNo = 0
  /** Up to which writes stand in the pending buffer or in segments; and in segments alone. */
  let appliedSeqNo = -1
  let sealedSeqNo = -1
  let unpersistedDocs = 0
  let persistTimer: NodeJS.Timeout | undefined
  let merging: Promise<void> | undefined
  let isClosed = false
  let { maxResultWindow } = options
  let rebuilds = 0

  function loadMapping() {
    const stored = meta.get(MAPPING)
    if (stored instanceof Uint8Array)
      return parseMapping(parseJsonText(Buffer.from(stored).toString()))
    const first = options.mapping ?? EMPTY_MAPPING
    storeMapping(first)
    return first
  }

  function useMapping(next: Mapping) {
    if (next === mapping) return
    mapping = next
    lookup = createFieldLookup(next)
  }

  function publish() {
    snapshot = { segments: sealed.list() }
  }

  function refresh() {
    if (isClosed) return
    if (!pending.isEmpty()) {
      const { segment, dead } = pending.take()
      sealed.kill(dead)
      if (segment) sealed.add({ ...segment, n: nextSegment++ })
      publish()
      persistSoon()
      mergeSoon()
    }
    sealedSeqNo = appliedSeqNo
    schedule.refreshed()
  }

  function persistSoon() {
    persistTimer ??= setTimeout(persist, PERSIST_MS).unref()
  }

  function persist() {
    clearTimeout(persistTimer)
    persistTimer = undefined
    if (isClosed) return
    try {
      persistence.save(sealed.list(), sealedSeqNo)
      unpersistedDocs = 0
    } catch (error) {
      // The documents are safe without it: what is missing is applied again at the next start.
      log('persist.failed', { index: identity.name, reason: String(error) })
      persistSoon()
    }
  }

  function mergeSoon() {
    merging ??= mergeAll().finally(() => (merging = undefined))
  }

  async function mergeAll() {
    for (;;) {
      const parts = chooseMerge(sealed.list())
      if (!parts || isClosed) return
      try {
        await mergeParts(parts)
      } catch (error) {
        // Searching several segments gives the same answers, only slower.
        log('merge.failed', { index: identity.name, reason: String(error) })
        return
      }
    }
  }

  async function mergeParts(parts: readonly Sealed[]) {
    const { segment, newDocs } = await merge(parts)
    if (isClosed) return
    const dead = diedSince(parts, newDocs, sealed.list())
    sealed.replace(parts, nextSegment++, segment, dead)
    publish()
    persistSoon()
  }

  function sealIfLarge() {
    if (pending.docCount() < SEAL_DOCS && pending.sizeBytes() < SEAL_BYTES) return
    unpersistedDocs += pending.docCount()
    refresh()
    if (unpersistedDocs >= PERSIST_DOCS) persist()
  }

  /** Makes documents written after `seqNo` searchable: the way back after a crash. */
  function replay(from: number) {
    sealed.kill(documents.deletedRowsSince(from))
    for (const { row, id, seqNo, source } of documents.since(from)) {
      pending.add({ row, seqNo, fields: readForReplay(source, id) }, sealed.has(row))
      if (pending.docCount() >= SEAL_DOCS) refresh()
    }
    appliedSeqNo = nextSeqNo - 1
    refresh()
    publish()
  }

  function readForReplay(source: Uint8Array, id: string) {
    try {
      return readSource(mapping, source, id).fields
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error
      // It fitted when it was written, but the mapping has grown since. It stays a document.
      log('replay.document', { index: identity.name, id, reason: error.reason })
      return []
    }
  }

  function rebuild(reason: string) {
    rebuilds++
    log('index.rebuilt', { index: identity.name, reason })
    persistence.clear()
    sealed.clear()
    nextSegment = 0
    appliedSeqNo = -1
    replay(-1)
    persist()
  }

  const liveCount = () => sealed.list().reduce((sum, one) => sum + one.liveCount, 0)

  function load() {
    try {
      for (const one of persistence.load()) {
        sealed.add(one)
        nextSegment = Math.max(nextSegment, one.n + 1)
      }
      nextSeqNo = Math.max(documents.highestSeqNo(), persistence.seqNo()) + 1
      appliedSeqNo = persistence.seqNo()
      replay(appliedSeqNo)
      const count = documents.count()
      if (liveCount() !== count)
        throw new Error(`the index has ${liveCount()} documents, the store ${count}`)
    } catch (error) {
      nextSeqNo = Math.max(documents.highestSeqNo(), nextSeqNo - 1) + 1
      rebuild(error instanceof Error ? error.message : String(error))
    }
  }

  load()

  return {
    identity,
    documents,
    shards: options.shards,
    mapping: () => mapping,
    fields: () => lookup,
    /** Runs writes in one transaction; they are durable when it returns. */
    write(operations: readonly Operation[]) {
      const result = writeAll(
        {
          identity,
          db,
          documents,
          mapping: () => mapping,
          storeMapping,
          nextSeqNo: () => nextSeqNo,
        },
        operations,
      )
      nextSeqNo = result.nextSeqNo
      useMapping(result.mapping)
      for (const change of result.changes) {
        pending.add(change, sealed.has(change.row))
        appliedSeqNo = change.seqNo
        sealIfLarge()
      }
      appliedSeqNo = nextSeqNo - 1
      if (!pending.isEmpty()) schedule.changed()
      return result.outcomes
    },
    /** @throws {EngineFailure} where a field would become another. */
    growMapping(update: Mapping) {
      const next = mergeMapping(mapping, update)
      inTransaction(db, () => storeMapping(next))
      useMapping(next)
    },
    /** Takes over settings that may change while an index is open. */
    configure(changed: Pick<IndexOptions, 'durability' | 'refresh' | 'maxResultWindow'>) {
      setDurability(db, changed.durability)
      schedule.setPolicy(changed.refresh)
      maxResultWindow = changed.maxResultWindow
      if (!pending.isEmpty()) schedule.changed()
    },
    refresh,
    nextRefresh: schedule.next,
    /** Makes the searchable state durable. */
    flush() {
      refresh()
      persist()
    },
    /** Joins segments until `maxSegments` are left. */
    async forceMerge(maxSegments: number) {
      refresh()
      while (merging) await merging // two merges at once could join a segment twice
      const list = sealed.list()
      const isWasteful = list.some(({ live }) => live !== null)
      if (list.length <= maxSegments && !isWasteful) return
      merging = mergeParts(list.slice(Math.max(0, maxSegments - 1))).finally(
        () => (merging = undefined),
      )
      await merging
    },
    /** What a search sees; refreshes first when nobody has searched for a while. */
    target(): SearchTarget {
      schedule.searching()
      return {
        index: identity.name,
        snapshot,
        fields: lookup,
        shards: options.shards,
        maxResultWindow,
        // A search may outlive its index: then its documents are gone like any that were deleted.
        idToRow: (id) => (isClosed ? undefined : documents.head(id)?.row),
        fetch: (rows) => rows.map((row) => (isClosed ? undefined : documents.getByRow(row))),
      }
    },
    stats() {
      const list = sealed.list()
      const docs = list.reduce((sum, { segment }) => sum + segment.docCount, 0)
      return {
        count: liveCount(),
        deleted: docs - liveCount(),
        pending: pending.docCount(),
        segments: list.length,
        rebuilds,
        bytes: Number(
          db
            .prepare('select page_count * page_size as n from pragma_page_count, pragma_page_size')
            .get()?.['n'] ?? 0,
        ),
      }
    },
    /** Makes everything durable and lets go of the files. */
    async close() {
      schedule.stop()
      refresh()
      persist()
      isClosed = true
      clearTimeout(persistTimer)
      await merging
      db.close()
    },
    /** Lets go of the files without saving: the index is being deleted. */
    async discard() {
      schedule.stop()
      isClosed = true
      clearTimeout(persistTimer)
      await merging
      db.close()
    },
  }
}

/** One open index. */
export type Index = ReturnType<typeof openIndex>
