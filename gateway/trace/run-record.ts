import type { Context } from '../contract/context.ts'
import type {
  ContextChange,
  LogEntry,
  RunSummary,
  Span,
  SpanError,
  StageStatus,
} from '../contract/trace.ts'
import type { GatewayError } from '../errors.ts'
import type { CallMoment, StageFacts } from '../runtime/observer.ts'
import { diffContexts } from './diff.ts'
import { isSecretHeader, MASKED, type Mask, maskAll } from './masking.ts'

/** One request of a stage; `end` when it has an answer or has failed. */
export interface CallRecord {
  start: CallMoment
  end?: CallMoment
}

/** What is kept of one stage. Contexts are kept by reference: they never change. */
export interface StageRecord {
  readonly stage: StageFacts
  status: StageStatus
  queuedTime?: number
  startTime?: number
  endTime?: number
  reason?: string
  error?: SpanError
  input?: Context
  output?: Context
  droppedWrites: readonly string[]
  logs: LogEntry[]
  calls: CallRecord[]
}

/** What is kept of one run, as it happens. */
export interface RunRecord {
  readonly summary: RunSummary
  readonly context: Context
  readonly stages: readonly StageRecord[]
  response?: Context['response']
  sizeBytes: number
}

/** One stage as a span, masked. Times lie within the run's. */
export function toSpan({ summary }: RunRecord, record: StageRecord, mask: Mask): Span {
  const { stage, status, reason, error, input, output } = record
  const startTime = Math.max(record.startTime ?? summary.startTime, summary.startTime)
  const queuedTime = Math.min(
    startTime,
    Math.max(record.queuedTime ?? startTime, summary.startTime),
  )
  // Computed whenever somebody looks: kept, it could take more room than the contexts it compares.
  const diff = input && output && diffContexts(input, output)
  const span: Span = {
    runId: summary.runId,
    stageId: stage.id,
    index: stage.index,
    ...(stage.use !== undefined && { use: stage.use }),
    async: stage.async,
    needs: [...stage.needs],
    status,
    queuedTime,
    startTime,
    ...(record.endTime !== undefined && { endTime: Math.max(record.endTime, startTime) }),
    waitMs: startTime - queuedTime,
    ...(reason !== undefined && { reason }),
    ...(error && { error }),
    changes: (diff?.changes ?? []).map(hideHeader),
    ...(diff?.cut && { changesCut: true }),
    droppedWrites: [...record.droppedWrites],
    logs: record.logs,
    calls: record.calls.map(toCall),
  }
  return maskAll(span, mask)
}

/** A run's summary, masked. */
export const toSummary = ({ summary }: RunRecord, mask: Mask): RunSummary => maskAll(summary, mask)

/** An error as traces show it. */
export const toSpanError = ({ code, message, source, frames }: GatewayError): SpanError => ({
  type: code,
  message,
  ...(source && { source }),
  ...(frames && { stack: [...frames] }),
})

function toCall({ start, end }: CallRecord) {
  const { stageId, request, at } = start
  return {
    stageId,
    method: request.method,
    url: request.url,
    startTime: at,
    requestBytes: Buffer.byteLength(request.body),
    ...(end && { endTime: end.at }),
    ...(end?.response && {
      status: end.response.code,
      responseBytes: Buffer.byteLength(end.response.body),
    }),
    ...(end?.error !== undefined && { error: end.error }),
  }
}

/** A changed credential is shown as changed, not as what it is. */
function hideHeader(change: ContextChange): ContextChange {
  const [parent, name] = change.path.slice(-2)
  if (parent !== 'headers' || typeof name !== 'string' || !isSecretHeader(name)) return change
  return {
    ...change,
    ...(change.before !== undefined && { before: JSON.stringify(MASKED) }),
    ...(change.after !== undefined && { after: JSON.stringify(MASKED) }),
  }
}
