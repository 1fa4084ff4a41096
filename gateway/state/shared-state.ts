/** One stored document. `etag` names this very version of it; opaque. */
export interface StateDocument {
  key: string
  value: unknown
  etag: string
}

/** What a write expects to find: an etag, null for nothing; left out, anything. */
interface WriteCondition {
  ifVersion?: string | null
}

/** A document that came, changed or went. */
interface StateChange {
  kind: string
  key: string
}

/** How the store is doing, for health answers and the workbench. */
export interface StateHealth {
  kind: 'local' | 'cluster'
  /** False until everything was read once: what `get` and `list` say before is not the truth. */
  isLoaded: boolean
  /** When what others wrote was last read, in epoch milliseconds. */
  syncedAt?: number
  /** Why the last attempt to read failed; what was read before is served meanwhile. */
  problem?: string
}

/**
 * State that all gateways of one cluster share: JSON documents by kind and key. Reads come from
 * memory and never wait; what other gateways wrote shows after the next `sync`.
 */
export interface SharedState {
  get(kind: string, key: string): StateDocument | undefined
  /** In order of keys, by code units. */
  list(kind: string): StateDocument[]
  /**
   * Durable, and visible to `get`, when it resolves.
   * @throws {GatewayError} ETAG_MISMATCH when the condition does not hold, and `get` shows what is
   * there instead; STATE_UNAVAILABLE when the store cannot be reached or does not say whether it wrote.
   */
  put(kind: string, key: string, value: unknown, condition?: WriteCondition): Promise<StateDocument>
  /**
   * Tells whether there was such a document.
   * @throws {GatewayError} ETAG_MISMATCH, STATE_UNAVAILABLE as `put` does.
   */
  remove(kind: string, key: string, condition?: { ifVersion?: string }): Promise<boolean>
  /** Hears of own writes and of those `sync` found, after `get` shows them. Gives the way to stop. */
  onChange(listener: (changes: readonly StateChange[]) => void): () => void
  /**
   * Reads what others wrote, at once; it also happens by itself.
   * @throws {GatewayError} STATE_UNAVAILABLE
   */
  sync(): Promise<void>
  health(): StateHealth
  close(): Promise<void>
}
