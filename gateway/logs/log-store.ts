import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../state/open-sqlite.ts'
import type { LogCategory, LogOrder, LogSummary } from '../contract/gateway-api/logs.ts'
import type { StoredLog } from './to-stored.ts'

/** What is kept; the oldest records go when any of these is passed. */
export interface Retention {
  records: number
  bytes: number
  ageMs: number
}

/** What a list is asked for. Times are epoch milliseconds, the end exclusive. */
export interface LogQuery {
  pipelineId?: string
  category?: LogCategory
  from: number
  size: number
  startTime?: number
  endTime?: number
  order: LogOrder
}

const ORDERS: Record<LogOrder, string> = {
  timestamp_desc: 'timestamp desc, seq desc',
  timestamp_asc: 'timestamp, seq',
  latency_desc: 'took desc, seq desc',
  latency_asc: 'took, seq',
}

/** Free pages of 4 KB that are given back to the file system when there are more. */
const FREE_PAGES = 4_096

/**
 * Opens the file that holds the records; used from a thread of its own. A batch that was appended
 * survives the death of the process.
 */
export function openLogStore(file: string) {
  const db = openDatabase(file)
  const remove = db.prepare('delete from records where id = ? returning bytes')
  const insert = db.prepare('insert into records values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const oldest = db.prepare('select seq, bytes from records order by seq')
  const removeUntil = db.prepare('delete from records where seq <= ?')
  const removeBefore = db.prepare('delete from records where timestamp < ? returning bytes')
  const one = db.prepare('select summary, rest from records where id = ?')
  const sums = db.prepare('select count(*) as records, total(bytes) as bytes from records').get()
  let records = Number(sums?.['records'])
  let bytes = Number(sums?.['bytes'])

  const forget = (rows: readonly Record<string, unknown>[]) => {
    records -= rows.length
    for (const row of rows) bytes -= Number(row['bytes'])
  }

  function add({ summary, rest }: StoredLog) {
    const texts = [JSON.stringify(summary), JSON.stringify(rest)] as const
    const size = Buffer.byteLength(texts[0]) + Buffer.byteLength(texts[1])
    forget(remove.all(summary.id))
    insert.run(
      summary.id,
      summary.pipeline_id,
      Date.parse(summary.timestamp),
      summary.took,
      summary.response.code,
      summary.kind ?? null,
      size,
      ...texts,
    )
    records++
    bytes += size
  }

  function trim(keep: Retention) {
    forget(removeBefore.all(Date.now() - keep.ageMs))
    const isFull = () => records > keep.records || bytes > keep.bytes
    if (isFull()) {
      let last = 0
      for (const row of oldest.iterate()) {
        if (!isFull()) break
        forget([row])
        last = Number(row['seq'])
      }
      removeUntil.run(last)
    }
    const free = db.prepare('pragma freelist_count').get()?.['freelist_count']
    if (Number(free) > FREE_PAGES) db.exec('pragma incremental_vacuum')
  }

  return {
    /** All or nothing; then lets the oldest go. */
    append(batch: readonly StoredLog[], keep: Retention) {
      transaction(db, () => {
        for (const log of batch) add(log)
        trim(keep)
      })
    },
    list(query: LogQuery, keep: Retention): { logs: LogSummary[]; total: number } {
      transaction(db, () => trim(keep))
      const { where, values } = toWhere(query)
      const count = db.prepare(`select count(*) as total from records ${where}`).get(...values)
      const rows = db
        .prepare(
          `select summary from records ${where} order by ${ORDERS[query.order]} limit ? offset ?`,
        )
        .all(...values, query.size, query.from)
      return {
        total: Number(count?.['total']),
        // Safe: only `add` writes this column.
        logs: rows.map((row) => JSON.parse(String(row['summary'])) as LogSummary),
      }
    },
    /** Both parts of a record as JSON texts. */
    get(id: string): { summary: string; rest: string } | undefined {
      const row = one.get(id)
      return row && { summary: String(row['summary']), rest: String(row['rest']) }
    },
    close: () => db.close(),
  }
}

function openDatabase(file: string) {
  // Requests of other people lie in it: for its owner only. Its side files get the same mode.
  closeSync(openSync(file, 'a', 0o600))
  // In WAL mode `normal` loses nothing when the process dies; the disk is waited for when the log
  // file is folded in, every 16 MB.
  const db = openSqlite(
    file,
    `
    pragma auto_vacuum = incremental;
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 16777216;
    create table if not exists records (
      seq integer primary key, id text not null unique, pipeline_id text not null,
      timestamp integer not null, took real not null, code integer not null, kind text,
      bytes integer not null, summary text not null, rest text not null
    );
    create index if not exists by_time on records (timestamp, kind, code, pipeline_id);
    create index if not exists by_pipeline on records (pipeline_id, timestamp, kind, code);
    create index if not exists by_took on records (took);
  `,
  )
  return db
}

function toWhere({ pipelineId, category, startTime, endTime }: LogQuery) {
  const values: (string | number)[] = []
  const conditions: string[] = []
  const add = (condition: string, value?: string | number) => {
    conditions.push(condition)
    if (value !== undefined) values.push(value)
  }
  if (pipelineId !== undefined) add('pipeline_id = ?', pipelineId)
  if (startTime !== undefined) add('timestamp >= ?', startTime)
  if (endTime !== undefined) add('timestamp < ?', endTime)
  if (category === 'success') add('code < 400')
  else if (category === 'error') add('code >= 400')
  else if (category !== undefined) add('kind = ?', category)
  return { where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', values }
}

function transaction(db: DatabaseSync, work: () => void) {
  db.exec('begin')
  try {
    work()
    db.exec('commit')
  } catch (cause) {
    db.exec('rollback')
    throw cause
  }
}
