/** Durable state of a gateway: small JSON documents by kind and key. */
export interface StateStore {
  get(kind: string, key: string): unknown
  /** Durable when it returns. */
  put(kind: string, key: string, value: unknown): void
  remove(kind: string, key: string): void
  /** In order of keys. */
  list(kind: string): { key: string; value: unknown }[]
  close(): void
}
