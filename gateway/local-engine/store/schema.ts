import { inTransaction, openDatabase, type Database } from './sqlite.ts'

const SCHEMA = `
create table if not exists docs (
  row integer primary key autoincrement,
  id text not null unique,
  seq_no integer not null,
  primary_term integer not null,
  version integer not null,
  routing text,
  source blob not null);
create index if not exists docs_seq on docs(seq_no);
create table if not exists tombstones (
  id text primary key,
  row integer,
  seq_no integer not null,
  version integer not null,
  at integer not null);
create table if not exists segments (
  n integer, part integer, format integer, crc integer, bytes blob, primary key (n, part));
create table if not exists meta (key text primary key, value);
`

/** What a power failure may take: nothing acknowledged, or the last moments. */
export type Durability = 'request' | 'async'

/** Opens the database of one index, making its tables when they are missing. */
export function openIndexDatabase(path: string, durability: Durability): Database {
  const db = openDatabase(path)
  // One wait for the disk instead of one a table.
  db.exec('pragma synchronous = normal; pragma journal_mode = wal')
  inTransaction(db, () => db.exec(SCHEMA))
  db.exec('pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = 4000')
  setDurability(db, durability)
  return db
}

/** From the next transaction on. */
export function setDurability(db: Database, durability: Durability): void {
  db.exec(`pragma synchronous = ${durability === 'request' ? 'full' : 'normal'}`)
}
