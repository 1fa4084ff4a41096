import type { LocalEngineOptions } from './config.ts'

/** A running engine. */
export interface LocalEngine {
  /** Such as `http://127.0.0.1:4311`. */
  readonly url: string
  readonly port: number
  /** Live documents of all indices when it was opened. */
  readonly documents: number
  /** Finishes running requests, makes everything durable, closes the databases. */
  close(): Promise<void>
}

/**
 * Opens the data directory and answers the REST API of the imitated engine.
 * @throws {StartFailure} PORT_IN_USE, DATA_DIR_LOCKED or DATA_DIR_UNREADABLE.
 */
export async function startLocalEngine(_options: LocalEngineOptions): Promise<LocalEngine> {
  throw new Error('not opened yet')
}
