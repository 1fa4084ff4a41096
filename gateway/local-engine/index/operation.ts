import type { JsonObject } from '../json/parse.ts'

/** What a client may demand of the document a write meets. */
export interface Conditions {
  readonly ifSeqNo?: number
  readonly ifPrimaryTerm?: number
  /** Only with an external version type. */
  readonly version?: number
  readonly versionType?: 'external' | 'external_gte'
}

/** What `_update` asks for. */
export interface UpdateRequest {
  readonly doc?: JsonObject
  readonly upsert?: JsonObject
  readonly docAsUpsert: boolean
  readonly detectNoop: boolean
}

/** One write of a document. */
export type Operation = Conditions & { readonly id: string; readonly routing?: string } & (
    | { readonly kind: 'index' | 'create'; readonly source: Uint8Array }
    | { readonly kind: 'delete' }
    | { readonly kind: 'update'; readonly update: UpdateRequest }
  )

/** What became of a write. */
export interface Outcome {
  readonly id: string
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop'
  readonly version: number
  readonly seqNo: number
  /** After `_update` only: the document as it is now. */
  readonly source?: Uint8Array
}
