import type { LiveSegment, Segment } from '../segment/segment.ts'

/** A sealed segment with its place in the store. Replaced, never changed, when documents die. */
export interface Sealed extends LiveSegment {
  /** Its number in the store, never used twice. */
  readonly n: number
}

const NOWHERE = -1

/**
 * The sealed segments of an index, oldest first, and where the live copy of every row is.
 * Every change makes a new list, so that a reader keeps what it saw.
 */
export function createSealedSegments() {
  let list: readonly Sealed[] = []
  let segmentOf = new Int32Array(1024).fill(NOWHERE)
  let docOf = new Int32Array(1024)

  function place(row: number, n: number, doc: number) {
    if (row >= segmentOf.length) {
      const size = Math.max(row + 1, segmentOf.length * 2)
      const segments = new Int32Array(size).fill(NOWHERE)
      const docs = new Int32Array(size)
      segments.set(segmentOf)
      docs.set(docOf)
      segmentOf = segments
      docOf = docs
    }
    segmentOf[row] = n
    docOf[row] = doc
  }

  function placeAll({ n, segment, live }: Sealed) {
    const { rows, docCount } = segment
    for (let doc = 0; doc < docCount; doc++)
      if (live === null || live[doc] === 1) place(rows[doc]!, n, doc)
  }

  const withoutDead = (segments: readonly Sealed[]) =>
    segments.filter(({ liveCount }) => liveCount > 0)

  return {
    list: () => list,
    has: (row: number) => (segmentOf[row] ?? NOWHERE) !== NOWHERE,
    /** Puts a segment at the end. */
    add(sealed: Sealed) {
      placeAll(sealed)
      list = withoutDead([...list, sealed])
    },
    /** Clears the live bits of the copies of `rows`. */
    kill(rows: Iterable<number>) {
      const changed = new Map<number, { live: Uint8Array; dead: number }>()
      const byNumber = new Map(list.map((one) => [one.n, one]))
      for (const row of rows) {
        const n = segmentOf[row] ?? NOWHERE
        const sealed = byNumber.get(n)
        if (!sealed) continue
        let change = changed.get(n)
        if (!change) {
          const { live, segment } = sealed
          change = { live: live ? live.slice() : new Uint8Array(segment.docCount).fill(1), dead: 0 }
          changed.set(n, change)
        }
        change.live[docOf[row]!] = 0
        change.dead++
        segmentOf[row] = NOWHERE
      }
      if (changed.size === 0) return
      list = withoutDead(
        list.map((sealed) => {
          const change = changed.get(sealed.n)
          if (!change) return sealed
          return { ...sealed, live: change.live, liveCount: sealed.liveCount - change.dead }
        }),
      )
    },
    /** Puts the merged segment where its parts were; `deadSince` died while it was made. */
    replace(parts: readonly Sealed[], n: number, segment: Segment, deadSince: readonly number[]) {
      const numbers = new Set(parts.map((part) => part.n))
      const live = deadSince.length === 0 ? null : new Uint8Array(segment.docCount).fill(1)
      for (const doc of deadSince) live![doc] = 0
      const merged = { n, segment, live, liveCount: segment.docCount - deadSince.length }
      const at = list.findIndex((one) => numbers.has(one.n))
      const rest = list.filter((one) => !numbers.has(one.n))
      list = withoutDead(at < 0 ? rest : [...rest.slice(0, at), merged, ...rest.slice(at)])
      placeAll(merged)
    },
    clear() {
      list = []
      segmentOf.fill(NOWHERE)
    },
  }
}
