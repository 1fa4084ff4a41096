import type { Segment } from '../segment/segment.ts'
import type { JsonObject } from '../query/define.ts'
import type { AggregatorGroup } from './define.ts'

/** The buckets of one aggregation: one for each pair of a parent's bucket and a key. */
export interface BucketTable {
  /** Begins a block of documents. */
  begin(): void
  /** Puts a document into the bucket of a key, below a bucket of the parent. */
  put(doc: number, parent: number, key: number): void
  /** Ends the block: sub-aggregations see its documents. */
  end(segment: Segment): Promise<void>
  /** Buckets below one of the parent's, in order of appearance. */
  of(parent: number): readonly Bucket[]
  /** How many documents each bucket has by now. */
  counts(): ReadonlyMap<Bucket, number>
  /** The bucket of a key, made when no document has fallen into it. */
  require(parent: number, key: number): Bucket
  /** What the sub-aggregations show for a bucket. */
  resultsOf(bucket: Bucket, isGap?: boolean): JsonObject
}

/** One bucket: its number among all of the aggregation, its key's number, its documents. */
export interface Bucket {
  readonly number: number
  readonly key: number
  count: number
}

const MOST_NEAR = 128

/** @param children sub-aggregations; they number their buckets by `Bucket.number`. */
export function createBucketTable(children: AggregatorGroup | undefined): BucketTable {
  // By number of the parent's bucket, then by number of the key; both are counted from 0. Arrays are
  // faster, but many parents with many keys each would fill the memory with holes.
  const nearby: (Bucket | undefined)[][] = []
  const distant: Map<number, Bucket>[] = []
  const inOrder: Bucket[][] = []
  let total = 0
  let docs = new Int32Array(1024)
  let numbers = new Int32Array(1024)
  let length = 0

  function require(parent: number, key: number): Bucket {
    const isNear = parent === 0 || key < MOST_NEAR
    const near = isNear ? (nearby[parent] ??= []) : undefined
    let bucket = near ? near[key] : distant[parent]?.get(key)
    if (!bucket) {
      bucket = { number: total++, key, count: 0 }
      if (near) {
        while (near.length < key) near.push(undefined)
        near[key] = bucket
      } else (distant[parent] ??= new Map<number, Bucket>()).set(key, bucket)
      const appeared = (inOrder[parent] ??= [])
      appeared.push(bucket)
    }
    return bucket
  }

  return {
    begin() {
      length = 0
    },
    put(doc, parent, key) {
      const bucket = require(parent, key)
      bucket.count++
      if (!children) return
      if (length === docs.length) {
        docs = widen(docs)
        numbers = widen(numbers)
      }
      docs[length] = doc
      numbers[length++] = bucket.number
    },
    async end(segment) {
      if (children && length > 0)
        // Copied: a sub-aggregation may hand over to another request's block.
        await children.collect(segment, docs.slice(0, length), numbers.slice(0, length))
    },
    counts: () => new Map(inOrder.flat().map((bucket) => [bucket, bucket.count])),
    of: (parent) => inOrder[parent] ?? [],
    require,
    resultsOf: ({ number }, isGap) => children?.result(number, isGap) ?? {},
  }
}

function widen(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(array.length * 2)
  wider.set(array)
  return wider
}
