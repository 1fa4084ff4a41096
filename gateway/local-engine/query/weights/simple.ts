import { NORM_ABSENT } from '../../segment/norms.ts'
import type { Segment } from '../../segment/segment.ts'
import type { Weight } from '../weight.ts'
import { allDocs } from './docs.ts'

/** Every document. */
export const createAllWeight = (score: number): Weight => ({
  cost: ({ docCount }) => docCount,
  match: ({ docCount }, within) => ({ docs: within ?? allDocs(docCount), scores: score }),
})

/** No document. */
export const createNoneWeight = (): Weight => ({
  cost: () => 0,
  match: () => ({ docs: new Int32Array(0), scores: 0 }),
})

/** Documents that have the field. */
export function createExistsWeight(field: string, score: number): Weight {
  return {
    cost: (segment) => (segment.columns.has(field) ? segment.docCount : 0),
    match(segment, within) {
      const has = presence(segment, field)
      return { docs: (within ?? allDocs(segment.docCount)).filter(has), scores: score }
    },
  }
}

function presence(segment: Segment, field: string): (doc: number) => boolean {
  const column = segment.columns.get(field)
  if (!column) return () => false
  if (column.kind === 'text') return (doc) => column.norms[doc] !== NORM_ABSENT
  const start = column.kind === 'keyword' ? column.ordStart : column.start
  return (doc) => start[doc] !== start[doc + 1]
}

/** Documents by their rows in the store. */
export function createRowsWeight(rows: ReadonlySet<number>, score: number): Weight {
  return {
    cost: (segment) => Math.min(rows.size, segment.docCount),
    match(segment, within) {
      const docs = (within ?? allDocs(segment.docCount)).filter((doc) =>
        rows.has(segment.rows[doc]!),
      )
      return { docs, scores: score }
    },
  }
}

/** The same documents, all with one score. */
export const createConstantWeight = (inner: Weight, score: number): Weight => ({
  cost: (segment) => inner.cost(segment),
  async match(segment, within) {
    const { docs } = await inner.match(segment, within)
    return { docs, scores: score }
  },
})
