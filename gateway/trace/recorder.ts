import type { GatewayEvent } from '../contract/events.ts'
import type { Context } from '../contract/context.ts'
import type { RunObserver, RunStart } from '../runtime/observer.ts'
import { type Mask, withAddresses } from './masking.ts'
import { type RunRecord, type StageRecord, toSpan, toSpanError, toSummary } from './run-record.ts'
import { addedBytes } from './size-of.ts'
import type { TraceStore } from './store.ts'

/** What a recorder works with. */
export interface RecorderParts {
  store: TraceStore
  emit: (event: GatewayEvent) => void
  mask: Mask
  /** How many runs are recorded, from 0 (none) to 1 (all). */
  rate: number
  /** Whether anyone reads the events; while nobody does, nothing is computed for them. */
  isWatched?: () => boolean
}

/** How long a span that has ended may wait, so that a run is not slowed down by comparing contexts. */
const PATIENCE_MS = 100
/** About what a run and a stage take besides their texts. */
const RUN_BYTES = 2_000
const STAGE_BYTES = 600

/** Watches runs and keeps what happens in them. */
export function createRecorder(parts: RecorderParts) {
  return {
    /** The observer for one run: none when it is not recorded. `asked` records it whatever the rate. */
    observersOf: (asked: boolean): readonly RunObserver[] =>
      asked || parts.rate >= 1 || Math.random() < parts.rate ? [recordOneRun(parts)] : [],
  }
}

function recordOneRun({ store, emit, mask: maskSecrets, isWatched }: RecorderParts): RunObserver {
  const mask = withAddresses(maskSecrets)
  const byId = new Map<string, StageRecord>()
  /** Spans that have ended and have not been sent. */
  const ended = new Set<StageRecord>()
  let timer: NodeJS.Timeout | undefined
  let run: RunRecord | undefined
  let hasBegun = false
  let lastContext: Context | undefined

  const send = (event: () => GatewayEvent) => {
    if (isWatched?.() ?? true) emit(event())
  }
  const sendRun = (record: RunRecord) => send(() => ({ type: 'run', run: toSummary(record, mask) }))
  const sendSpan = (record: RunRecord, stage: StageRecord) =>
    send(() => ({ type: 'span', span: toSpan(record, stage, mask) }))
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (run) for (const stage of ended) sendSpan(run, stage)
    ended.clear()
  }

  /** The run begins with its first stage, so that no span lies outside of it. */
  const begin = (at: number) => {
    if (!run || hasBegun) return
    hasBegun = true
    run.summary.startTime = at
  }
  const grow = (value: unknown, shared: unknown) => {
    if (run) store.grow(run, addedBytes(value, shared))
  }
  const close = (stage: StageRecord, at: number) => {
    stage.startTime ??= at
    stage.endTime = Math.max(at, stage.startTime)
    begin(stage.startTime)
    grow(stage.output ?? stage.input, lastContext)
    if (stage.output && !stage.stage.async) lastContext = stage.output
    ended.add(stage)
    timer ??= setTimeout(flush, PATIENCE_MS).unref()
  }

  return {
    runStarted(start) {
      run = toRecord(start)
      for (const stage of run.stages) byId.set(stage.stage.id, stage)
      lastContext = start.context
      store.add(run)
      store.grow(run, addedBytes(start.context, undefined))
      sendRun(run)
    },
    stageWaiting({ stageId, at }) {
      const stage = byId.get(stageId)
      if (!stage || !run) return
      Object.assign(stage, { status: 'waiting', queuedTime: at })
      sendSpan(run, stage)
    },
    beforeStage({ stageId, context, at }) {
      const stage = byId.get(stageId)
      if (!stage || !run) return
      begin(at)
      Object.assign(stage, { status: 'running', startTime: at, input: context })
      sendSpan(run, stage)
    },
    afterStage({ stageId, context, output, droppedWrites, at }) {
      const stage = byId.get(stageId)
      if (!stage) return
      Object.assign(stage, { status: 'ok', input: context, output, droppedWrites })
      close(stage, at)
    },
    stageFailed({ stageId, context, error, continued, cancelled, at }) {
      const stage = byId.get(stageId)
      if (!stage) return
      const status = cancelled ? 'cancelled' : continued ? 'continued' : 'failed'
      Object.assign(stage, { status, input: context, error: toSpanError(error) })
      close(stage, at)
      // In list order, whichever failed first.
      if (run && continued)
        run.summary.continued = run.stages
          .filter((one) => one.status === 'continued')
          .map(({ stage: { id } }) => id)
    },
    stageSkipped({ stageId, status, reason, at }) {
      const stage = byId.get(stageId)
      if (!stage) return
      Object.assign(stage, { status, reason })
      close(stage, at)
    },
    log({ runId: _run, ...entry }) {
      byId.get(entry.stageId)?.logs.push(entry)
      grow(entry, undefined)
    },
    callStarted(start) {
      byId.get(start.stageId)?.calls.push({ start })
      grow(start.request, lastContext?.request)
    },
    callEnded(end) {
      const call = byId
        .get(end.stageId)
        ?.calls.find(({ start: { callId } }) => callId === end.callId)
      if (call) call.end = end
      grow(end.response, undefined)
    },
    responseReady({ response, error, at }) {
      if (!run) return
      const { summary } = run
      run.response = response
      grow(response, lastContext?.response)
      begin(at)
      summary.responseTime = at
      summary.code = response.code
      summary.status = !error ? 'ok' : error.code === 'RUN_TERMINATED' ? 'cancelled' : 'failed'
      if (error)
        summary.error = {
          ...toSpanError(error),
          ...(error.stageId !== undefined && { stageId: error.stageId }),
        }
      const record = run
      setImmediate(() => {
        flush()
        if (record.summary.endTime === undefined) sendRun(record)
      })
    },
    runEnded() {
      if (!run) return
      const record = run
      record.summary.endTime = Math.max(
        record.summary.startTime,
        ...record.stages.map(({ endTime }) => endTime ?? 0),
      )
      setImmediate(() => {
        flush()
        sendRun(record)
      })
    },
  }
}

function toRecord({ runId, pipelineId, file, method, path, stages, context, at }: RunStart) {
  const record: RunRecord = {
    summary: {
      runId,
      pipelineId,
      ...(file !== undefined && { file }),
      method,
      path,
      status: 'running',
      startTime: at,
      continued: [],
    },
    context,
    stages: stages.map((stage) => ({
      stage,
      status: 'waiting',
      droppedWrites: [],
      logs: [],
      calls: [],
    })),
    sizeBytes: RUN_BYTES + STAGE_BYTES * stages.length,
  }
  return record
}
