import { encodeSegment, decodeSegment } from '../segment/format.ts'
import type { DocumentStore } from '../store/documents.ts'
import type { MetaStore } from '../store/meta.ts'
import type { SegmentStore } from '../store/segments.ts'
import { inTransaction, type Database } from '../store/sqlite.ts'
import type { Sealed } from './sealed.ts'

const SEGMENTS = 'segments'
const PERSISTED_SEQ_NO = 'persisted_seq_no'
const liveKey = (n: number) => `live:${n}`
// index.gc_deletes: how long a deletion is remembered for checks of versions.
const KEEP_TOMBSTONES_MS = 60_000

interface Stores {
  readonly db: Database
  readonly documents: DocumentStore
  readonly segments: SegmentStore
  readonly meta: MetaStore
}

/** The searchable state on disk: segments, live bits, and up to which write they reach. */
export function createPersistence({ db, documents, segments, meta }: Stores) {
  let saved = new Map<number, Sealed>()
  let savedSeqNo = -1

  return {
    /** Sequence number of the last write that is part of what `load` gives. */
    seqNo: () => savedSeqNo,
    /**
     * The state as it was saved.
     * @throws {Error} when a part is damaged, missing or of another format.
     */
    load(): readonly Sealed[] {
      const listed = meta.get(SEGMENTS)
      const numbers = listed === null ? [] : (JSON.parse(String(listed)) as number[])
      const list = numbers.map((n): Sealed => {
        const segment = decodeSegment(segments.read(n))
        const bits = meta.get(liveKey(n))
        if (bits === null) return { n, segment, live: null, liveCount: segment.docCount }
        if (!(bits instanceof Uint8Array) || bits.length < Math.ceil(segment.docCount / 8))
          throw new Error(`live bits of segment ${n} are damaged`)
        const live = unpack(bits, segment.docCount)
        return { n, segment, live, liveCount: live.reduce((sum, bit) => sum + bit, 0) }
      })
      saved = new Map(list.map((one) => [one.n, one]))
      savedSeqNo = Number(meta.get(PERSISTED_SEQ_NO) ?? -1)
      return list
    },
    /** Saves what changed since the last time, in one transaction. */
    save(list: readonly Sealed[], seqNo: number) {
      const current = new Map(list.map((one) => [one.n, one]))
      inTransaction(db, () => {
        for (const one of list) {
          const before = saved.get(one.n)
          if (!before) segments.write(one.n, encodeSegment(one.segment))
          if (one.live && one.live !== before?.live) meta.set(liveKey(one.n), pack(one.live))
        }
        for (const n of saved.keys()) {
          if (current.has(n)) continue
          segments.remove(n)
          meta.remove(liveKey(n))
        }
        meta.set(SEGMENTS, JSON.stringify(list.map(({ n }) => n)))
        meta.set(PERSISTED_SEQ_NO, seqNo)
        documents.forgetTombstones(seqNo, Date.now() - KEEP_TOMBSTONES_MS)
      })
      saved = current
      savedSeqNo = seqNo
    },
    /** Forgets everything saved: the index is going to be built from its documents. */
    clear() {
      inTransaction(db, () => {
        segments.clear()
        db.exec("delete from meta where key like 'live:%'")
        meta.set(SEGMENTS, '[]')
        meta.set(PERSISTED_SEQ_NO, -1)
      })
      saved = new Map()
      savedSeqNo = -1
    },
  }
}

function pack(live: Uint8Array) {
  const bits = new Uint8Array(Math.ceil(live.length / 8))
  for (let i = 0; i < live.length; i++) if (live[i] === 1) bits[i >> 3]! |= 1 << (i & 7)
  return bits
}

function unpack(bits: Uint8Array, count: number) {
  const live = new Uint8Array(count)
  for (let i = 0; i < count; i++) live[i] = (bits[i >> 3]! >> (i & 7)) & 1
  return live
}
