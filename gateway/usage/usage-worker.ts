import { workerData } from 'node:worker_threads'
import { serveBackground } from '../state/serve-background.ts'
import type { UsageRow } from './usage-meter.ts'
import { openUsageStore, type UsageQuery } from './usage-store.ts'

// Safe: only pipeline-usage.ts starts this file.
const { file } = workerData as { file: string }
const store = openUsageStore(file)

const calls = {
  add: ({ rows, at, oldestDay }: { rows: readonly UsageRow[]; at: number; oldestDay: string }) =>
    store.add(rows, at, oldestDay),
  groups: (query: UsageQuery) => store.groups(query),
  close: (_input: null) => store.close(),
}

/** What the thread can be asked for. */
export type UsageWorker = typeof calls

serveBackground(calls)
