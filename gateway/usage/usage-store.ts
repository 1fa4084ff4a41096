import { closeSync, openSync } from 'node:fs'
import { openSqlite } from '../state/open-sqlite.ts'
import { BOUNDS_MS, type Counter } from './counter.ts'
import type { UsageRow } from './usage-meter.ts'

/** What figures are asked for. Days are UTC, `yyyy-MM-dd`, both inclusive. */
export interface UsageQuery {
  /** One row of the answer for each. */
  by: 'pipeline' | 'stage' | 'version' | 'day'
  pipelineId?: string
  version?: number
  fromDay?: string
  toDay?: string
  size: number
}

/** Figures of one pipeline, stage, version or day. */
export interface UsageGroup extends Counter {
  /** The pipeline's or stage's id, the version, or the day; null is a plan without versions. */
  key: string | number | null
  /** Epoch milliseconds. */
  lastUsed: number
}

/** In the table nothing is null: keys that are not there are these. */
const NO_VERSION = 0
const NO_STAGE = ''

const PARTS = BOUNDS_MS.map((_bound, place) => `part${place}`).concat(`part${BOUNDS_MS.length}`)
const SUMS = ['calls', 'errors', 'sum_ms', ...PARTS]
const COLUMNS = { pipeline: 'pipeline_id', stage: 'stage_id', version: 'version', day: 'day' }

/** Opens the file that holds the sums of each day; used from a thread of its own. */
export function openUsageStore(file: string) {
  const db = openDatabase(file)
  const values = ['day', 'pipeline_id', 'version', 'stage_id', 'max_ms', 'last_used', ...SUMS]
  const upsert = db.prepare(`
    insert into usage (${values.join(', ')}) values (${values.map(() => '?').join(', ')})
    on conflict do update set max_ms = max(max_ms, excluded.max_ms),
      last_used = max(last_used, excluded.last_used),
      ${SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`)
  const removeBefore = db.prepare('delete from usage where day < ?')

  return {
    /** Adds to the sums of the day; all rows or none. */
    add(rows: readonly UsageRow[], at: number, oldestDay: string) {
      const day = new Date(at).toISOString().slice(0, 10)
      db.exec('begin')
      try {
        for (const { pipelineId, version, stageId, maxMs, calls, errors, sumMs, parts } of rows) {
          const key = [day, pipelineId, version ?? NO_VERSION, stageId ?? NO_STAGE]
          upsert.run(...key, maxMs, at, calls, errors, sumMs, ...parts)
        }
        removeBefore.run(oldestDay)
        db.exec('commit')
      } catch (cause) {
        db.exec('rollback')
        throw cause
      }
    },
    /** Most calls first, days in their order; `total` counts the groups on all pages. */
    groups(query: UsageQuery): { groups: UsageGroup[]; total: number } {
      const column = COLUMNS[query.by]
      const { where, values } = toWhere(query)
      const sums = SUMS.map((name) => `sum(${name}) as ${name}`).join(', ')
      const rows = db
        .prepare(
          `select ${column} as key, max(max_ms) as max_ms, max(last_used) as last_used, ${sums},
             count(*) over () as total
           from usage where ${where} group by ${column}
           order by ${query.by === 'day' ? 'day' : 'sum(calls) desc, key'} limit ?`,
        )
        .all(...values, query.size)
      return {
        groups: rows.map((row) => toGroup(row, query)),
        total: Number(rows[0]?.['total'] ?? 0),
      }
    },
    close: () => db.close(),
  }
}

function openDatabase(file: string) {
  closeSync(openSync(file, 'a', 0o600))
  const db = openSqlite(
    file,
    `
    pragma journal_mode = wal;
    pragma synchronous = normal;
    create table if not exists usage (
      day text not null, pipeline_id text not null, version integer not null, stage_id text not null,
      max_ms real not null, last_used integer not null,
      ${SUMS.map((name) => `${name} real not null`).join(', ')},
      primary key (day, pipeline_id, version, stage_id)
    ) without rowid;
  `,
  )
  return db
}

function toWhere({ by, pipelineId, version, fromDay, toDay }: UsageQuery) {
  const conditions = [by === 'stage' ? `stage_id <> '${NO_STAGE}'` : `stage_id = '${NO_STAGE}'`]
  const values: (string | number)[] = []
  const add = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  add('pipeline_id = ?', pipelineId)
  add('version = ?', version)
  add('day >= ?', fromDay)
  add('day <= ?', toDay)
  return { where: conditions.join(' and '), values }
}

function toGroup(row: Record<string, unknown>, { by }: UsageQuery): UsageGroup {
  const version = Number(row['key'])
  return {
    key: by !== 'version' ? String(row['key']) : version === NO_VERSION ? null : version,
    calls: Number(row['calls']),
    errors: Number(row['errors']),
    sumMs: Number(row['sum_ms']),
    maxMs: Number(row['max_ms']),
    parts: PARTS.map((name) => Number(row[name])),
    lastUsed: Number(row['last_used']),
  }
}
