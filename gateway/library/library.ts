import type { Diagnostic } from '../contract/diagnostic.ts'

/** A pipeline as a client sends it. `scripts` holds texts by the very text of their `scriptRef`. */
export interface PipelineDraft {
  content: string
  extension: 'yaml' | 'json'
  /** Sample context of an editor; opaque. */
  validateContext?: string
  scripts: Readonly<Record<string, string>>
}

/** One version of a pipeline. Times are unix seconds; `etag` names this version's content. */
export interface StoredPipeline extends PipelineDraft {
  id: string
  /** Counts from 1. */
  version: number
  /** Of the version, not of the pipeline. */
  description?: string
  isLive: boolean
  enabled: boolean
  priority: number
  createdAt: number
  updatedAt: number
  etag: string
}

/** Expects a version to be as it was read; left out, whatever is there is replaced. */
export interface IfMatch {
  ifMatch?: string
}

/**
 * Pipelines as stored things: files of the open workspace, else documents of the state store. Reads
 * come from memory. What a write was told succeeded survives `kill -9`, and is served from then on.
 *
 * Errors of all writes: PIPELINE_INVALID (400, with all diagnostics), NOT_FOUND (404),
 * CONFLICT (409, the id is taken), ETAG_MISMATCH (412), UNPROCESSABLE (422, text and address name
 * different pipelines), STATE_UNAVAILABLE (503).
 */
export interface PipelineLibrary {
  /** The live version of every pipeline, in order of ids. */
  list(): StoredPipeline[]
  /** The live version. */
  get(id: string): StoredPipeline | undefined
  /** Oldest first; empty for an unknown id. */
  versions(id: string): StoredPipeline[]
  version(id: string, version: number): StoredPipeline | undefined
  /** Every problem of a draft, without storing it; `id` as far as address or text know it. */
  check(draft: PipelineDraft, id?: string): DraftCheck
  /** Makes version 1, live. Without an id in the text the pipeline gets a random one. */
  create(draft: PipelineDraft): Promise<StoredPipeline>
  /** Replaces the live version. */
  update(id: string, draft: PipelineDraft, condition?: IfMatch): Promise<StoredPipeline>
  /** Removes the pipeline with all its versions. */
  remove(id: string, condition?: IfMatch): Promise<void>
  /** Adds a version that is not live. */
  addVersion(
    id: string,
    draft: PipelineDraft,
    more?: { description?: string },
  ): Promise<StoredPipeline>
  updateVersion(
    id: string,
    version: number,
    draft: PipelineDraft,
    condition?: IfMatch & { description?: string },
  ): Promise<StoredPipeline>
  /** Makes a version the one that requests without `/v<N>` get. */
  makeLive(id: string, version: number): Promise<StoredPipeline>
  /** Hears of every change, by whomever. Gives the way to stop. */
  onChange(listener: () => void): () => void
}

/** What checking a draft found. `id` is absent when neither text nor address gives one. */
export interface DraftCheck {
  id?: string
  diagnostics: Diagnostic[]
}
