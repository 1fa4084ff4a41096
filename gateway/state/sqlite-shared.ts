import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from './open-sqlite.ts'
import { errors, GatewayError } from '../errors.ts'
import { createMirror, conflictOf } from './mirror.ts'
import type { SharedState, StateDocument } from './shared-state.ts'

/** How often another process's writes to the same file are looked for; one pragma, no reading. */
const SYNC_MS = 1_000

/**
 * Shared state of one machine, in one SQLite file. Several processes may have it open. A write is on
 * disk when its promise resolves, and in the mirror when the call returns.
 */
export function openSqliteSharedState(file: string): SharedState {
  const db = openDatabase(file)
  const statements = prepare(db)
  const mirror = createMirror()
  let seen = dataVersion(db)
  let syncedAt = Date.now()
  let problem: string | undefined

  /** Reads the whole table: it is small, and only another process's write leads here. */
  function reload() {
    const gone = new Map(
      [...mirror.entries()].map(({ kind, document: { key } }) => [idOf(kind, key), { kind, key }]),
    )
    const changes: { kind: string; key: string }[] = []
    for (const row of statements.all.all()) {
      const [kind, key] = [String(row['kind']), String(row['key'])]
      const etag = String(row['revision'])
      gone.delete(idOf(kind, key))
      if (mirror.get(kind, key)?.etag === etag) continue
      mirror.set(kind, { key, value: JSON.parse(String(row['value'])), etag })
      changes.push({ kind, key })
    }
    for (const { kind, key } of gone.values()) mirror.delete(kind, key)
    mirror.announce([...changes, ...gone.values()])
  }

  function syncNow() {
    const now = dataVersion(db)
    if (now !== seen) reload()
    seen = now
    syncedAt = Date.now()
  }

  /** Nobody waits for an answer here: what goes wrong is told by `health`. */
  function syncAlone() {
    try {
      syncNow()
      problem = undefined
    } catch (cause) {
      problem = cause instanceof Error ? cause.message : String(cause)
    }
  }

  /** `write` runs alone among all processes, after `ifVersion` was found to hold. */
  function guarded<T>(
    kind: string,
    key: string,
    ifVersion: string | null | undefined,
    write: () => T,
  ) {
    try {
      db.exec('begin immediate')
      const row = statements.revision.get(kind, key)
      const found = row === undefined ? null : String(row['revision'])
      if (ifVersion !== undefined && ifVersion !== found) throw conflictOf(kind, key)
      const result = write()
      db.exec('commit')
      return result
    } catch (problem) {
      if (db.isTransaction) db.exec('rollback')
      if (problem instanceof GatewayError) {
        // Whoever lost a race sees what won.
        syncNow()
        throw problem
      }
      const why = problem instanceof Error ? problem.message : String(problem)
      throw errors.stateUnavailable(`The state file ${file} could not be written: ${why}`, {
        cause: problem,
      })
    }
  }

  reload()
  const timer = setInterval(syncAlone, SYNC_MS).unref()

  return {
    get: mirror.get,
    list: mirror.list,
    async put(kind, key, value, { ifVersion } = {}) {
      const text = JSON.stringify(value)
      const revision = guarded(kind, key, ifVersion, () => {
        const next = statements.next.get()
        statements.upsert.run(kind, key, text, next?.['revision'] ?? 0)
        return String(next?.['revision'])
      })
      const document: StateDocument = { key, value: JSON.parse(text), etag: revision }
      mirror.set(kind, document)
      mirror.announce([{ kind, key }])
      return document
    },
    async remove(kind, key, { ifVersion } = {}) {
      const existed = guarded(
        kind,
        key,
        ifVersion,
        () => Number(statements.remove.run(kind, key).changes) > 0,
      )
      if (mirror.delete(kind, key)) mirror.announce([{ kind, key }])
      return existed
    },
    onChange: mirror.onChange,
    sync: async () => syncNow(),
    health: () => ({
      kind: 'local',
      isLoaded: true,
      syncedAt,
      ...(problem !== undefined && { problem }),
    }),
    async close() {
      clearInterval(timer)
      db.close()
    },
  }
}

const idOf = (kind: string, key: string) => `${kind}\0${key}`

function openDatabase(file: string) {
  const db = openSqlite(
    file,
    `
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists shared_documents (
      kind text not null, key text not null, value text not null, revision integer not null,
      primary key (kind, key)
    ) without rowid;
    create table if not exists shared_revision (revision integer not null);
    insert into shared_revision select 0 where not exists (select 1 from shared_revision);
  `,
  )
  return db
}

const prepare = (db: DatabaseSync) => ({
  all: db.prepare('select kind, key, value, revision from shared_documents'),
  revision: db.prepare('select revision from shared_documents where kind = ? and key = ?'),
  // One count for all documents: an etag never comes back, even after a removal.
  next: db.prepare('update shared_revision set revision = revision + 1 returning revision'),
  upsert: db.prepare(`
    insert into shared_documents values (?, ?, ?, ?)
    on conflict do update set value = excluded.value, revision = excluded.revision`),
  remove: db.prepare('delete from shared_documents where kind = ? and key = ?'),
})

/** Changes when another connection wrote; https://www.sqlite.org/pragma.html#pragma_data_version */
const dataVersion = (db: DatabaseSync) =>
  Number(db.prepare('pragma data_version').get()?.['data_version'])
