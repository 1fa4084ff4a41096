import type { Database, SqlRow } from './sqlite.ts'

/** Where a document stands, without its source. */
export interface DocumentHead {
  readonly row: number
  readonly seqNo: number
  readonly version: number
}

/** A document as stored. */
export interface StoredRow extends DocumentHead {
  readonly id: string
  readonly primaryTerm: number
  readonly routing: string | null
  /** The bytes as received. */
  readonly source: Uint8Array
}

/** A deletion that is remembered; `row` is null when there was nothing to delete. */
export interface Tombstone {
  readonly row: number | null
  readonly seqNo: number
  readonly version: number
}

/** What one write puts down. */
export interface DocumentWrite {
  readonly id: string
  readonly seqNo: number
  readonly version: number
  readonly routing: string | null
  readonly source: Uint8Array
}

// Safe: the schema says which columns hold integers, text and blobs.
const toHead = ({ row, seq_no, version }: SqlRow): DocumentHead => ({
  row: row as number,
  seqNo: seq_no as number,
  version: version as number,
})
const toStored = (found: SqlRow): StoredRow => ({
  ...toHead(found),
  id: found['id'] as string,
  primaryTerm: found['primary_term'] as number,
  routing: found['routing'] as string | null,
  source: found['source'] as Uint8Array,
})

/** The documents of one index: rows of its database, and the truth of it. */
export function createDocumentStore(db: Database) {
  const all = 'row, id, seq_no, primary_term, version, routing, source'
  const byId = db.prepare(`select ${all} from docs where id = ?`)
  const byRow = db.prepare(`select ${all} from docs where row = ?`)
  const headById = db.prepare('select row, seq_no, version from docs where id = ?')
  const insert = db.prepare(
    'insert into docs (row, id, seq_no, primary_term, version, routing, source) values (?, ?, ?, 1, ?, ?, ?)',
  )
  const update = db.prepare(
    'update docs set seq_no = ?, version = ?, routing = ?, source = ? where row = ?',
  )
  const remove = db.prepare('delete from docs where row = ?')
  const tombstone = db.prepare('select row, seq_no, version from tombstones where id = ?')
  const bury = db.prepare(
    'insert or replace into tombstones (id, row, seq_no, version, at) values (?, ?, ?, ?, ?)',
  )
  const exhume = db.prepare('delete from tombstones where id = ?')
  const forget = db.prepare('delete from tombstones where seq_no <= ? and at < ?')
  const since = db.prepare(`select ${all} from docs where seq_no > ? order by seq_no`)
  const deletedSince = db.prepare(
    'select row from tombstones where seq_no > ? and row is not null order by seq_no',
  )
  const highest = db.prepare(
    'select max(coalesce((select max(seq_no) from docs), -1), coalesce((select max(seq_no) from tombstones), -1)) as n',
  )
  const count = db.prepare('select count(*) as n from docs')

  return {
    get(id: string): StoredRow | undefined {
      const found = byId.get(id)
      return found && toStored(found)
    },
    getByRow(row: number): StoredRow | undefined {
      const found = byRow.get(row)
      return found && toStored(found)
    },
    head(id: string): DocumentHead | undefined {
      const found = headById.get(id)
      return found && toHead(found)
    },
    tombstone(id: string): Tombstone | undefined {
      const found = tombstone.get(id)
      return found && { ...toHead(found), row: found['row'] as number | null }
    },
    /**
     * Writes a document and returns its row. One that was deleted not long ago gets its old row
     * back, so that a row never stands for two ids, nor an id for two rows of the index.
     */
    put(write: DocumentWrite, before: DocumentHead | undefined, buried?: Tombstone): number {
      const { id, seqNo, version, routing, source } = write
      if (before) {
        update.run(seqNo, version, routing, source, before.row)
        return before.row
      }
      const { lastRow } = insert.run(buried?.row ?? null, id, seqNo, version, routing, source)
      if (buried) exhume.run(id)
      return lastRow
    },
    /** @param row null when there is no document to delete: the deletion is remembered all the same. */
    remove(id: string, row: number | null, seqNo: number, version: number) {
      if (row !== null) remove.run(row)
      bury.run(id, row, seqNo, version, Date.now())
    },
    /** Forgets deletions that are part of the persisted index and older than `before` (ms). */
    forgetTombstones: (seqNo: number, before: number) => void forget.run(seqNo, before),
    *since(seqNo: number): Iterable<StoredRow> {
      for (const row of since.iterate(seqNo)) yield toStored(row)
    },
    deletedRowsSince: (seqNo: number) => deletedSince.all(seqNo).map(({ row }) => row as number),
    highestSeqNo: () => highest.get()?.['n'] as number,
    count: () => count.get()?.['n'] as number,
  }
}

export type DocumentStore = ReturnType<typeof createDocumentStore>
