import type { FieldMapping } from '../mapping/field.ts'
import { createGrowingInts, push } from './growing.ts'
import { createKeywordAccumulator } from './keyword.ts'
import { createNumericAccumulator } from './numeric.ts'
import type { Column, LiveSegment, SegmentBuilder } from './segment.ts'
import { createTextAccumulator } from './text.ts'

interface Accumulator {
  add(doc: number, values: readonly unknown[]): void
  seal(docCount: number): Column
  sizeBytes(): number
}

/** An empty buffer of documents; throw it away after `seal()`. */
export function createSegmentBuilder(): SegmentBuilder {
  const rows = createGrowingInts()
  const fields = new Map<string, Accumulator>()
  const dead = new Set<number>()

  return {
    get docCount() {
      return rows.length
    },
    get sizeBytes() {
      let bytes = rows.length * 4
      for (const field of fields.values()) bytes += field.sizeBytes()
      return bytes
    },
    add(row, values) {
      const doc = rows.length
      push(rows, row)
      for (const [mapping, own] of values) {
        if (own.length === 0 || !(mapping.index || mapping.docValues)) continue
        let field = fields.get(mapping.path)
        if (!field) fields.set(mapping.path, (field = createAccumulator(mapping)))
        field.add(doc, own)
      }
      return doc
    },
    kill: (doc) => void dead.add(doc),
    seal,
  }

  function seal(): LiveSegment {
    const docCount = rows.length
    const columns = new Map<string, Column>()
    for (const [path, field] of fields) columns.set(path, field.seal(docCount))
    const segment = { docCount, rows: rows.values.slice(0, docCount), columns }
    if (dead.size === 0) return { segment, live: null, liveCount: docCount }
    const live = new Uint8Array(docCount).fill(1)
    for (const doc of dead) live[doc] = 0
    return { segment, live, liveCount: docCount - dead.size }
  }
}

function createAccumulator(mapping: FieldMapping): Accumulator {
  if (mapping.type === 'text') return createTextAccumulator(mapping)
  return mapping.type === 'keyword' || mapping.type === 'boolean'
    ? createKeywordAccumulator(mapping)
    : createNumericAccumulator(mapping)
}
