import { DatabaseSync } from 'node:sqlite'
import { errors } from '../errors.ts'

/**
 * Opens or makes a database file and brings it to its schema.
 * @throws {GatewayError} STATE_UNAVAILABLE with the file, when it is damaged or cannot be written.
 */
export function openSqlite(file: string, schema: string): DatabaseSync {
  try {
    const db = new DatabaseSync(file, { timeout: 5_000 })
    db.exec(schema)
    return db
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw errors.stateUnavailable(
      `The file "${file}" cannot be used (${why}); bring a copy of it back, or move it away to begin ` +
        'without what it held',
      { cause },
    )
  }
}
