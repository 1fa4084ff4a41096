import { openSqlite } from './open-sqlite.ts'
import type { StateStore } from './state-store.ts'

/** Keeps state in one SQLite file; a write that returned survives `kill -9`. */
export function openSqliteState(file: string): StateStore {
  const db = openSqlite(
    file,
    `
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists documents (
      kind text not null, key text not null, value text not null, primary key (kind, key)
    ) without rowid;
  `,
  )
  const select = db.prepare('select value from documents where kind = ? and key = ?')
  const upsert = db.prepare(
    'insert into documents values (?, ?, ?) on conflict do update set value = excluded.value',
  )
  const remove = db.prepare('delete from documents where kind = ? and key = ?')
  const list = db.prepare('select key, value from documents where kind = ? order by key')
  const parse = (row: { value?: unknown } | undefined): unknown =>
    row === undefined ? undefined : JSON.parse(String(row.value))
  return {
    get: (kind, key) => parse(select.get(kind, key)),
    put: (kind, key, value) => void upsert.run(kind, key, JSON.stringify(value)),
    remove: (kind, key) => void remove.run(kind, key),
    list: (kind) => list.all(kind).map((row) => ({ key: String(row.key), value: parse(row) })),
    close: () => db.close(),
  }
}
