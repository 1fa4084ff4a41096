import { join } from 'node:path'
import type { Limits } from '../contract/limits.ts'
import { createBackground } from '../state/background.ts'
import { createUsageMeter, type UsageRow } from './usage-meter.ts'
import type { UsageQuery } from './usage-store.ts'
import type { UsageWorker } from './usage-worker.ts'

interface Parts {
  dataDir: string
  limits(): Pick<Limits, 'usageDays'>
  /** Tells whoever runs the gateway. */
  warn(event: string, fields: Record<string, unknown>): void
}

/** What may be lost when the process dies. */
const FLUSH_MS = 1_000
const DAY_MS = 86_400_000

/**
 * Counts all runs of all pipelines: in memory, and by day in `usage.db` of the data folder, which a
 * thread of its own writes about every second.
 */
export function createPipelineUsage({ dataDir, limits, warn }: Parts) {
  const thread = createBackground<UsageWorker>(new URL('./usage-worker.ts', import.meta.url), {
    file: join(dataDir, 'usage.db'),
  })
  let timer: NodeJS.Timeout | undefined
  const meter = createUsageMeter(() => {
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
  })

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const rows = meter.take()
    if (rows.length === 0) return
    const at = Date.now()
    const oldestDay = new Date(at - limits().usageDays * DAY_MS).toISOString().slice(0, 10)
    try {
      await thread.call('add', { rows, at, oldestDay })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      warn('usage-lost', { runs: runsIn(rows), why })
    }
  }

  return {
    /** What a run of this plan is counted by. */
    of: meter.of,
    /**
     * Figures up to this moment.
     * @throws {GatewayError} STATE_UNAVAILABLE when the file cannot be read.
     */
    async groups(query: UsageQuery) {
      await flush()
      return thread.call('groups', query)
    },
    /** Writes what was counted and ends the thread. */
    async close() {
      await flush()
      if (thread.hasStarted()) await thread.call('close', null)
      await thread.close()
    },
  }
}

/** How often pipelines are used, and how they do. */
export type PipelineUsage = ReturnType<typeof createPipelineUsage>

const runsIn = (rows: readonly UsageRow[]) =>
  rows.reduce((sum, { stageId, calls }) => sum + (stageId === null ? calls : 0), 0)
