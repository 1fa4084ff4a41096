import type { FieldMapping } from '../mapping/field.ts'

/** Sorted terms as UTF-8 bytes: term i is `bytes[offsets[i] … offsets[i + 1])`, in byte order. */
export interface Dictionary {
  readonly count: number
  readonly bytes: Uint8Array
  readonly offsets: Int32Array
}

/** Postings in CSR form: documents of term i are `docs[start[i] … start[i + 1])`, ascending. */
export interface Postings {
  readonly start: Int32Array
  readonly docs: Int32Array
}

export interface TextColumn {
  readonly kind: 'text'
  readonly terms: Dictionary
  readonly postings: Postings
  /** Positions of posting p are `positions[posOffset[p] … posOffset[p + 1])`; frequency by difference. */
  readonly posOffset: Int32Array
  readonly positions: Int32Array
  /** One byte a document; local-engine.md 14.1. */
  readonly norms: Uint8Array
  readonly docsWithField: number
  /** Exact sum of lengths, for the average. */
  readonly sumOfLengths: number
}

/** keyword and boolean (terms `F` and `T`). Ordinals of document d are `ords[start[d] … start[d + 1])`. */
export interface KeywordColumn {
  readonly kind: 'keyword'
  readonly terms: Dictionary
  readonly postings: Postings
  readonly ordStart: Int32Array
  readonly ords: Int32Array
  readonly docsWithField: number
}

/** Numbers and dates. Values of document d are `values[start[d] … start[d + 1])`, ascending. */
export interface NumericColumn {
  readonly kind: 'numeric'
  readonly start: Int32Array
  readonly values: Float64Array | BigInt64Array
  /** Indices into `values`, ordered by value; `docOf[i]` is the document of `values[i]`. */
  readonly sorted: Int32Array
  readonly docOf: Int32Array
  readonly docsWithField: number
}

export type Column = TextColumn | KeywordColumn | NumericColumn

/** An immutable part of an index. Documents are numbered from 0 in order of indexing. */
export interface Segment {
  readonly docCount: number
  /** The store's row of every document. */
  readonly rows: Int32Array
  readonly columns: ReadonlyMap<string, Column>
}

/** One segment with the live bits a reader saw; null: all alive. 1 = alive. */
export interface LiveSegment {
  readonly segment: Segment
  readonly live: Uint8Array | null
  readonly liveCount: number
}

/** What one search sees; never changes. */
export interface Snapshot {
  readonly segments: readonly LiveSegment[]
}

/** Collects documents and seals them into a segment. */
export interface SegmentBuilder {
  readonly docCount: number
  readonly sizeBytes: number
  /** @returns the document's number in the segment to be. */
  add(
    row: number,
    fields: Iterable<[FieldMapping, readonly (string | number | bigint | boolean)[]]>,
  ): number
  /** A newer copy exists: the document stays counted in statistics but is not alive. */
  kill(doc: number): void
  seal(): LiveSegment
}
