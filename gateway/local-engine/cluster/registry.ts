import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROFILES, type ProfileName } from '../config.ts'
import { StartFailure } from '../start-failure.ts'
import { createMetaStore } from '../store/meta.ts'
import { isLocked, openDatabase } from '../store/sqlite.ts'

const FORMAT = 1

const SCHEMA = `
create table if not exists meta (key text primary key, value);
create table if not exists indices (
  name text primary key, uuid text not null unique, created integer not null, settings text not null);
`

/** One index as registered: its existence is this row. */
export interface RegisteredIndex {
  readonly name: string
  readonly uuid: string
  /** Milliseconds since 1970. */
  readonly created: number
  /** Flat, as given: `index.number_of_shards` → `1`. */
  readonly settings: Readonly<Record<string, string>>
}

function openLocked(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, 'cluster.db'))
  try {
    // Held for as long as the process lives: the lock of the whole directory.
    db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; begin exclusive; commit')
    db.exec(SCHEMA)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function openDirectory(dataDir: string) {
  try {
    return openLocked(dataDir)
  } catch (error) {
    if (isLocked(error))
      throw new StartFailure(
        'DATA_DIR_LOCKED',
        `${dataDir} is in use by another local engine: stop that one, or choose another folder`,
        error,
      )
    throw new StartFailure(
      'DATA_DIR_UNREADABLE',
      `${dataDir} cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      error,
    )
  }
}

/**
 * Opens `cluster.db`: what indices there are, and the profile the directory was made with.
 * @throws {StartFailure} DATA_DIR_LOCKED or DATA_DIR_UNREADABLE.
 */
export function openRegistry(dataDir: string, wanted: ProfileName) {
  const db = openDirectory(dataDir)
  const meta = createMetaStore(db)
  if (meta.get('format') === null) {
    meta.set('format', FORMAT)
    meta.set('profile', wanted)
    meta.set('cluster_uuid', randomUUID())
  }
  if (meta.get('format') !== FORMAT) {
    db.close()
    throw new StartFailure(
      'DATA_DIR_UNREADABLE',
      `${dataDir} was written by another version of the local engine: use that version, or another folder`,
    )
  }
  const select = db.prepare('select name, uuid, created, settings from indices order by name')
  const insert = db.prepare(
    'insert into indices (name, uuid, created, settings) values (?, ?, ?, ?)',
  )
  const remove = db.prepare('delete from indices where name = ?')
  const update = db.prepare('update indices set settings = ? where name = ?')
  const profile = String(meta.get('profile'))
  return {
    profile: PROFILES[profile === 'legacy' ? 'legacy' : 'opensearch-3'],
    clusterUuid: String(meta.get('cluster_uuid')),
    list: (): readonly RegisteredIndex[] =>
      select.all().map(({ name, uuid, created, settings }) => ({
        name: String(name),
        uuid: String(uuid),
        created: Number(created),
        // Safe: `add` below wrote it.
        settings: JSON.parse(String(settings)) as Record<string, string>,
      })),
    add: ({ name, uuid, created, settings }: RegisteredIndex) =>
      void insert.run(name, uuid, created, JSON.stringify(settings)),
    remove: (name: string) => void remove.run(name),
    setSettings: (name: string, settings: Readonly<Record<string, string>>) =>
      void update.run(JSON.stringify(settings), name),
    close: () => db.close(),
  }
}
