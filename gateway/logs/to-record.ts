import type { Context } from '../contract/context.ts'
import type { LoggedStage, LogRecord } from '../contract/gateway-api/logs.ts'
import { applyChanges } from './context-changes.ts'
import { type StoredLog, toTook } from './to-stored.ts'

/**
 * A stored record as one answer shows it. With `verbose` each stage has the context after it, laid
 * together from all changes up to then, in the order in which the stages ended.
 */
export function toRecord({ summary, rest }: StoredLog, verbose: boolean): LogRecord {
  let context: Context = rest.start
  const stageChanges = rest.stages.map(({ changes, removed, tookMs, ...stage }): LoggedStage => {
    context = applyChanges(context, { changes, removed })
    return {
      ...stage,
      ...(tookMs !== undefined && { took: toTook(tookMs) }),
      ...(verbose ? { context: JSON.stringify(context) } : { changes, removed }),
    }
  })
  return {
    ...summary,
    request: { ...summary.request, body: rest.start.request.body },
    response: { ...summary.response, body: rest.responseBody ?? context.response.body },
    context: JSON.stringify(context),
    stageChanges,
    diffLogs: !verbose,
    console_logs: rest.consoleLogs,
  }
}
