import type { LogEntry, SpanError, StageStatus } from '../contract/trace.ts'
import type { GatewayError } from '../errors.ts'
import type { RunObserver, RunStart, StageFacts } from '../runtime/observer.ts'
import { changesBetween, type ChangedKeys } from './context-changes.ts'
import { kindOf } from './kind-of.ts'
import type { RawLog } from './raw-log.ts'

/** What the route and its pipeline say about a run; the run itself does not know. */
export interface LoggedRoute {
  route: { path: string; method: string; category?: string; acl?: string }
  version?: number
}

/** Console text kept of one run, in characters. */
const CONSOLE_CHARS = 100_000
const NO_CHANGES: ChangedKeys = { changes: {}, removed: [] }

/** Watches one run and hands it on as a record once everything is done, background included. */
export function observeRun(logged: LoggedRoute, keep: (log: RawLog) => void): RunObserver {
  let log: RawLog | undefined
  let stages = new Map<string, StageFacts>()
  const begun = new Map<string, number>()
  let consoleChars = 0

  const end = (
    { stageId, at }: { stageId: string; at: number },
    outcome: { status: StageStatus; reason?: string; error?: SpanError },
    changed: ChangedKeys = NO_CHANGES,
  ) => {
    const stage = stages.get(stageId)
    if (!log || !stage) return
    const since = begun.get(stageId)
    log.stages.push({
      id: stageId,
      ...(stage.use !== undefined && { use: stage.use }),
      async: stage.async,
      ...outcome,
      ...(since !== undefined && { tookMs: Math.max(0, at - since) }),
      ...changed,
    })
  }

  return {
    runStarted(start) {
      log = begin(start, logged)
      stages = new Map(start.stages.map((stage) => [stage.id, stage]))
    },
    beforeStage({ stageId, at }) {
      begun.set(stageId, at)
    },
    afterStage(moment) {
      end(moment, { status: 'ok' }, changesBetween(moment.context, moment.output))
    },
    stageFailed({ error, continued, cancelled, ...moment }) {
      const status = cancelled ? 'cancelled' : continued ? 'continued' : 'failed'
      end(moment, { status, error: toSpanError(error) })
      if (continued) log?.continued.push(moment.stageId)
    },
    stageSkipped({ status, reason, ...moment }) {
      // Its trigger may have been asked only after it was announced: it did not run all the same.
      begun.delete(moment.stageId)
      end(moment, { status, reason })
    },
    log(entry) {
      if (!log || consoleChars > CONSOLE_CHARS) return
      const line = toLine(entry)
      consoleChars += line.length
      log.consoleLogs.push(consoleChars > CONSOLE_CHARS ? '… (more was written)' : line)
    },
    responseReady({ at, response, error }) {
      if (!log) return
      log.tookMs = at - log.startTime
      log.response = response
      log.status = !error ? 'ok' : error.code === 'RUN_TERMINATED' ? 'cancelled' : 'failed'
      if (error)
        log.error = {
          ...toSpanError(error),
          ...(error.stageId !== undefined && { stageId: error.stageId }),
        }
    },
    runEnded() {
      if (log) keep(log)
    },
  }
}

function begin(start: RunStart, { route, version }: LoggedRoute): RawLog {
  const { runId, pipelineId, method, path, context, at } = start
  const { category, acl } = route
  const kind = kindOf({ method, path, category, acl, queryType: context.envs['type'] })
  return {
    id: runId,
    pipelineId,
    ...(version !== undefined && { version }),
    route: { path: route.path, method: route.method },
    ...(category !== undefined && { category }),
    ...(acl !== undefined && { acl }),
    ...(kind && { kind }),
    startTime: at,
    tookMs: 0,
    status: 'running',
    continued: [],
    method,
    uri: path,
    start: context,
    response: context.response,
    stages: [],
    consoleLogs: [],
  }
}

const toSpanError = ({ code, message, source, frames }: GatewayError): SpanError => ({
  type: code,
  message,
  ...(source && { source }),
  ...(frames && { stack: [...frames] }),
})

/** One console entry as a line: texts as they are, everything else as JSON. */
export const toLine = ({ values }: LogEntry) =>
  values
    .map(({ kind, text }) =>
      kind === 'json' && text.startsWith('"') ? String(JSON.parse(text)) : text,
    )
    .join(' ')
