import type { GlobalEnv } from '../contract/pipeline.ts'

/** A variable shared by all pipelines, its value in the open. Times are unix seconds. */
export interface StoredGlobalEnv extends GlobalEnv {
  id: string
  created_at: number
  updated_at: number
  etag: string
}

/** Variables shared by all pipelines (domain.md 3.7). Values lie sealed in the state store. */
export interface GlobalEnvStore {
  /** In order of keys. */
  list(): StoredGlobalEnv[]
  get(key: string): StoredGlobalEnv | undefined
  /** What `context.envs` gets: key to value. */
  values(): Readonly<Record<string, string>>
  /** @throws {GatewayError} CONFLICT when the key exists; STATE_UNAVAILABLE. */
  create(entry: GlobalEnv): Promise<StoredGlobalEnv>
  /**
   * Replaces all of an entry but its id and when it was created.
   * @throws {GatewayError} NOT_FOUND; ETAG_MISMATCH; UNPROCESSABLE when the entry has another key;
   * STATE_UNAVAILABLE.
   */
  update(key: string, entry: GlobalEnv, condition?: { ifMatch?: string }): Promise<StoredGlobalEnv>
  /**
   * Creates or overwrites: what saving a pipeline does with its `global_envs` (decisions.md 19).
   * Gives the keys whose value changed. @throws {GatewayError} STATE_UNAVAILABLE
   */
  apply(entries: readonly GlobalEnv[]): Promise<string[]>
  /** @throws {GatewayError} NOT_FOUND, ETAG_MISMATCH, STATE_UNAVAILABLE. */
  remove(key: string, condition?: { ifMatch?: string }): Promise<void>
  /** Hears of every change, by whomever. Gives the way to stop. */
  onChange(listener: () => void): () => void
}
