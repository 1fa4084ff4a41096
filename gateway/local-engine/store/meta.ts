import type { Database, SqlValue } from './sqlite.ts'

/** Named values of one database. */
export function createMetaStore(db: Database) {
  const select = db.prepare('select value from meta where key = ?')
  const upsert = db.prepare('insert or replace into meta (key, value) values (?, ?)')
  const remove = db.prepare('delete from meta where key = ?')
  return {
    get: (key: string): SqlValue => select.get(key)?.['value'] ?? null,
    set: (key: string, value: SqlValue) => void upsert.run(key, value),
    remove: (key: string) => void remove.run(key),
  }
}

export type MetaStore = ReturnType<typeof createMetaStore>
