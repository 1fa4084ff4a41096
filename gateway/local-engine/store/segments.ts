import { crc32 } from 'node:zlib'
import { SEGMENT_FORMAT } from '../segment/format.ts'
import type { Database } from './sqlite.ts'

const PART_BYTES = 16 * 1024 * 1024

/** Encoded segments, in rows small enough for SQLite to handle well. */
export function createSegmentStore(db: Database) {
  const insert = db.prepare(
    'insert or replace into segments (n, part, format, crc, bytes) values (?, ?, ?, ?, ?)',
  )
  const select = db.prepare('select format, crc, bytes from segments where n = ? order by part')
  const remove = db.prepare('delete from segments where n = ?')
  return {
    write(n: number, bytes: Uint8Array) {
      for (let part = 0, from = 0; part === 0 || from < bytes.length; part++, from += PART_BYTES) {
        const slice = bytes.subarray(from, from + PART_BYTES)
        insert.run(n, part, SEGMENT_FORMAT, crc32(slice), slice)
      }
    },
    /** @throws {Error} when parts are missing, damaged or of another format. */
    read(n: number): Uint8Array {
      const parts = select.all(n).map(({ format, crc, bytes }, part) => {
        if (format !== SEGMENT_FORMAT)
          throw new Error(`segment ${n} has format ${String(format)}, not ${SEGMENT_FORMAT}`)
        // Safe: only `write` above fills this column.
        const slice = bytes as Uint8Array
        if (crc32(slice) !== crc) throw new Error(`segment ${n}, part ${part} is damaged`)
        return slice
      })
      if (parts.length === 0) throw new Error(`segment ${n} is missing`)
      const [only] = parts
      return parts.length === 1 && only ? only : Buffer.concat(parts)
    },
    remove: (n: number) => void remove.run(n),
    clear: () => db.exec('delete from segments'),
  }
}

export type SegmentStore = ReturnType<typeof createSegmentStore>
