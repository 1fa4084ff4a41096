import { join } from 'node:path'
import type { LogPage } from '../contract/gateway-api/logs.ts'
import type { Limits } from '../contract/limits.ts'
import type { RunObserver } from '../runtime/observer.ts'
import { createBackground } from '../state/background.ts'
import { createLogQueue } from './log-queue.ts'
import type { LogQuery, Retention } from './log-store.ts'
import type { LogsWorker } from './logs-worker.ts'
import { type LoggedRoute, observeRun } from './observe-run.ts'
import type { TextBounds } from './raw-log.ts'
import { toTook } from './to-stored.ts'

interface Parts {
  dataDir: string
  limits(): Pick<Limits, 'logRecords' | 'logMb' | 'logDays' | 'logBodyChars'>
  /** Every secret value known at this moment. */
  secrets(): Iterable<string>
  /** Tells whoever runs the gateway. */
  warn(event: string, fields: Record<string, unknown>): void
}

const NOBODY: readonly RunObserver[] = []
const DAY_MS = 86_400_000
/** Addresses with user info are looked for, too: about what one takes. */
const LEAST_MARGIN = 1_000
/** The longest form of a character is its UTF-8 bytes in an address: `%E2%82%AC`. */
const LONGEST_FORM = 9

/**
 * Keeps records of the runs whose route asks for it, in `logs.db` of the data folder. Masking, cutting
 * and writing happen in a thread of their own, which starts with the first record.
 */
export function createPipelineLogs({ dataDir, limits, secrets, warn }: Parts) {
  const thread = createBackground<LogsWorker>(new URL('./logs-worker.ts', import.meta.url), {
    file: join(dataDir, 'logs.db'),
  })
  /** Those of a workspace that is closed before its last runs are written count as well. */
  const seenSecrets = new Set<string>()
  const lookAtSecrets = () => {
    for (const secret of secrets()) seenSecrets.add(secret)
  }
  const allSecrets = () => {
    lookAtSecrets()
    return [...seenSecrets]
  }

  const keep = (): Retention => {
    const { logRecords, logMb, logDays } = limits()
    return { records: logRecords, bytes: logMb * 1_048_576, ageMs: logDays * DAY_MS }
  }
  const bounds = (): TextBounds => {
    const longest = allSecrets().reduce((most, { length }) => Math.max(most, length), 0)
    const marginChars = Math.max(LEAST_MARGIN, longest * LONGEST_FORM)
    return { bodyChars: limits().logBodyChars, marginChars }
  }
  const queue = createLogQueue({
    bounds,
    write: (records, bounds) =>
      thread.call('append', { records, secrets: allSecrets(), bounds, keep: keep() }),
    lost: (count, why) => warn('logs-lost', { count, why }),
  })

  return {
    /** Who watches a run of this route for the logs: nobody unless it says `recordLogs`. */
    observersOf({ route, version }: LoggedRoute & { route: { recordLogs: boolean } }) {
      if (!route.recordLogs) return NOBODY
      return [
        observeRun({ route, ...(version !== undefined && { version }) }, (log) => {
          lookAtSecrets()
          queue.add(log)
        }),
      ]
    },
    /** @throws {GatewayError} STATE_UNAVAILABLE when the file cannot be read. */
    async list(query: LogQuery): Promise<LogPage> {
      const since = performance.now()
      await queue.flush()
      const { logs, total } = await thread.call('list', {
        query,
        keep: keep(),
        secrets: allSecrets(),
      })
      return { logs, total, took: toTook(performance.now() - since), dropped: queue.dropped() }
    },
    /** One record as JSON text of a `LogRecord`; nothing when there is none with this id. */
    async get(id: string, verbose: boolean): Promise<string | undefined> {
      await queue.flush()
      return thread.call('get', { id, verbose, secrets: allSecrets() })
    },
    /** Writes what waits and ends the thread. */
    async close() {
      await queue.flush()
      if (thread.hasStarted()) await thread.call('close', null)
      await thread.close()
    },
  }
}

/** The logs of pipelines. */
export type PipelineLogs = ReturnType<typeof createPipelineLogs>
