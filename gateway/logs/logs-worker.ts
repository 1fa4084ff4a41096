import { workerData } from 'node:worker_threads'
import { serveBackground } from '../state/serve-background.ts'
import { createMask, maskAll } from '../trace/masking.ts'
import { parseLossless } from '../trace/parse-lossless.ts'
import { type LogQuery, openLogStore, type Retention } from './log-store.ts'
import type { RawRecord, TextBounds } from './raw-log.ts'
import { toRecord } from './to-record.ts'
import { type StoredLog, type StoredRest, toStored } from './to-stored.ts'

/** Records on their way to disk: neither masked nor cut to the end. */
export interface LogBatch {
  records: readonly RawRecord[]
  secrets: readonly string[]
  bounds: TextBounds
  keep: Retention
}

// Safe: only pipeline-logs.ts starts this file.
const { file } = workerData as { file: string }
const store = openLogStore(file)

const calls = {
  /** Why single records were not kept: a script may nest a context deeper than it can be walked. */
  append({ records, secrets, bounds, keep }: LogBatch): string[] {
    const mask = createMask(secrets)
    const problems: string[] = []
    const batch = records.flatMap((record) => {
      try {
        return toStored(record, mask, bounds)
      } catch (cause) {
        problems.push(`a record cannot be masked: ${String(cause)}`)
        return []
      }
    })
    store.append(batch, keep)
    return problems
  },
  /** Masked anew, since a value may have become a secret only later. */
  list({ query, keep, secrets }: { query: LogQuery; keep: Retention; secrets: readonly string[] }) {
    const { logs, total } = store.list(query, keep)
    return { logs: maskAll(logs, createMask(secrets)), total }
  },
  /** The whole record as JSON text: its long numbers would not survive the way between threads. */
  get({ id, verbose, secrets }: { id: string; verbose: boolean; secrets: readonly string[] }) {
    const texts = store.get(id)
    if (!texts) return undefined
    // Safe: only toStored makes these texts.
    const stored = {
      summary: parseLossless(texts.summary),
      rest: parseLossless(texts.rest) as StoredRest,
    } as StoredLog
    return JSON.stringify(toRecord(maskAll(stored, createMask(secrets)), verbose))
  },
  close: (_input: null) => store.close(),
}

/** What the thread can be asked for. */
export type LogsWorker = typeof calls

serveBackground(calls)
