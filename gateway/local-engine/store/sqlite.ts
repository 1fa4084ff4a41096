import { DatabaseSync } from 'node:sqlite'

/** A value a column holds. */
export type SqlValue = string | number | null | Uint8Array
export type SqlRow = Record<string, SqlValue>

/** A compiled statement; running it with the wrong number of values throws. */
export interface Statement {
  readonly run: (...values: SqlValue[]) => { readonly changes: number; readonly lastRow: number }
  readonly get: (...values: SqlValue[]) => SqlRow | undefined
  readonly all: (...values: SqlValue[]) => SqlRow[]
  readonly iterate: (...values: SqlValue[]) => Iterable<SqlRow>
}

/** The seven calls of a SQLite driver the engine makes; another driver fits behind it. */
export interface Database {
  readonly prepare: (sql: string) => Statement
  readonly exec: (sql: string) => void
  readonly close: () => void
}

/** Opens or makes a database file. */
export function openDatabase(path: string): Database {
  const db = new DatabaseSync(path)
  return {
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    prepare(sql) {
      const statement = db.prepare(sql)
      // Safe: columns hold integers below 2^53, text, blobs and null only, see the schemas.
      return {
        run(...values) {
          const { changes, lastInsertRowid } = statement.run(...values)
          return { changes: Number(changes), lastRow: Number(lastInsertRowid) }
        },
        get: (...values) => statement.get(...values) as SqlRow | undefined,
        all: (...values) => statement.all(...values) as SqlRow[],
        iterate: (...values) => statement.iterate(...values) as Iterable<SqlRow>,
      }
    },
  }
}

/** Runs `work` in a transaction: all of it is kept, or none. */
export function inTransaction<T>(db: Database, work: () => T): T {
  db.exec('begin immediate')
  try {
    const result = work()
    db.exec('commit')
    return result
  } catch (error) {
    try {
      db.exec('rollback')
    } catch {
      // SQLite has rolled back already, as it does when the disk is full; `error` says why.
    }
    throw error
  }
}

/** Whether SQLite found no room on the disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 13

/** Whether another process holds the database. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (error.errcode === 5 || error.errcode === 6)
