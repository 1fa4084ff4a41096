import type { FieldMapping } from '../mapping/field.ts'
import type { FieldValue } from '../mapping/fields/define.ts'
import { createSegmentBuilder } from '../segment/build.ts'

/** A change that is committed: a document taken apart, or a deletion. */
export interface Change {
  readonly row: number
  readonly seqNo: number
  /** null: the document is gone. */
  readonly fields: readonly [FieldMapping, readonly FieldValue[]][] | null
}

/** Collects committed changes until a refresh makes them searchable. */
export function createPendingBuffer() {
  let builder = createSegmentBuilder()
  let docs = new Map<number, number>()
  let dead = new Set<number>()

  function kill(row: number) {
    const doc = docs.get(row)
    if (doc === undefined) return
    builder.kill(doc)
    docs.delete(row)
  }

  return {
    /** @param isSealed whether an older copy stands in a sealed segment. */
    add({ row, fields }: Change, isSealed: boolean) {
      kill(row)
      if (isSealed) dead.add(row)
      if (fields) docs.set(row, builder.add(row, [...fields]))
    },
    isEmpty: () => builder.docCount === 0 && dead.size === 0,
    docCount: () => builder.docCount,
    sizeBytes: () => builder.sizeBytes,
    /** Empties the buffer: the new segment, and the rows whose sealed copies have died. */
    take() {
      const taken = { segment: builder.docCount > 0 ? builder.seal() : null, dead }
      builder = createSegmentBuilder()
      docs = new Map()
      dead = new Set()
      return taken
    },
  }
}
