import type { Profile } from '../config.ts'
import type { PositionOf } from '../json/parse.ts'
import type { FieldLookup } from '../mapping/field.ts'
import type { Snapshot } from '../segment/segment.ts'

/** A document as the store holds it; `source` are the bytes as received. */
export interface StoredDocument {
  readonly id: string
  readonly source: Uint8Array
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm?: number
}

/** One index taking part in a search: what it sees of it, and the way to its documents. */
export interface SearchTarget {
  /** The index's name, as `_index` shows it. */
  readonly index: string
  readonly snapshot: Snapshot
  readonly fields: FieldLookup
  /** Echoed in `_shards`; 1 when absent. */
  readonly shards?: number
  /** `index.max_result_window`; 10,000 when absent. */
  readonly maxResultWindow?: number
  /** The store's row of a document, or undefined when there is none of that id. */
  idToRow(id: string): number | undefined
  /** Documents in the order of the rows; undefined for one that is gone meanwhile. */
  fetch(rows: readonly number[]): readonly (StoredDocument | undefined)[]
}

/** What a request brings besides its body. */
export interface SearchParams {
  /** Aborted when the client is gone: evaluation stops with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Used when the body names no `timeout`; 30,000 when absent. */
  readonly timeoutMs?: number | undefined
  /** `rest_total_hits_as_int`: `total` becomes a number. */
  readonly totalHitsAsInt?: boolean | undefined
  /** `typed_keys`: names of aggregations begin with their type, as in `sterms#genres`. */
  readonly typedKeys?: boolean | undefined
  /** The imitated engine; OpenSearch 3 when absent. */
  readonly profile?: Profile | undefined
  /** Where parts of the body stand, for errors; when the reader of the body knows. */
  readonly positionOf?: PositionOf | undefined
}
