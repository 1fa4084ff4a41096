import type { GatewayEvent } from '../contract/events.ts'
import type { Context } from '../contract/context.ts'
import type { LogEntry } from '../contract/trace.ts'
import type {
  CallMoment,
  ResponseMoment,
  RunObserver,
  RunStart,
  StageFailure,
  StageMoment,
  StageResult,
} from '../runtime/observer.ts'
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
export function createRecorder({ mask, ...parts }: RecorderParts) {
  const shared = { ...parts, mask: withAddresses(mask) }
  return {
    /** The observer for one run: none when it is not recorded. `asked` records it whatever the rate. */
    observersOf: (asked: boolean): readonly RunObserver[] =>
      asked || parts.rate >= 1 || Math.random() < parts.rate ? [new RunRecorder(shared)] : [],
  }
}

/** Places of a pipeline's stages in its list, by id; the list lives as long as the plan. */
const placesOf = new WeakMap<RunStart['stages'], Map<string, number>>()

function findPlaces(stages: RunStart['stages']) {
  let places = placesOf.get(stages)
  if (!places) {
    places = new Map(stages.map(({ id }, place) => [id, place]))
    placesOf.set(stages, places)
  }
  return places
}

/** A class: one is made for every recorded run, and a dozen closures would cost 2 µs each time. */
class RunRecorder implements RunObserver {
  #parts: RecorderParts
  #run: RunRecord | undefined
  #places: Map<string, number> | undefined
  #hasBegun = false
  #lastContext: Context | undefined
  /** Spans that have ended and have not been sent. */
  #ended: StageRecord[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  runStarted(start: RunStart) {
    const run = toRecord(start)
    this.#run = run
    this.#places = findPlaces(start.stages)
    this.#lastContext = start.context
    run.sizeBytes += addedBytes(start.context, undefined)
    this.#parts.store.add(run)
    this.#sendRun()
  }

  stageWaiting({ stageId, at }: Parameters<NonNullable<RunObserver['stageWaiting']>>[0]) {
    const stage = this.#find(stageId)
    if (!stage) return
    stage.status = 'waiting'
    stage.queuedTime = at
    this.#sendSpan(stage)
  }

  beforeStage({ stageId, context, at }: StageMoment) {
    const stage = this.#find(stageId)
    if (!stage) return
    this.#begin(at)
    stage.status = 'running'
    stage.startTime = at
    stage.input = context
    this.#sendSpan(stage)
  }

  afterStage({ stageId, context, output, droppedWrites, at }: StageResult) {
    const stage = this.#find(stageId)
    if (!stage) return
    stage.status = 'ok'
    stage.input = context
    stage.output = output
    stage.droppedWrites = droppedWrites
    this.#close(stage, at)
  }

  stageFailed({ stageId, context, error, continued, cancelled, at }: StageFailure) {
    const stage = this.#find(stageId)
    if (!stage || !this.#run) return
    stage.status = cancelled ? 'cancelled' : continued ? 'continued' : 'failed'
    stage.input = context
    stage.error = toSpanError(error)
    this.#close(stage, at)
    // In list order, whichever failed first.
    if (continued)
      this.#run.summary.continued = this.#run.stages
        .filter((one) => one.status === 'continued')
        .map(({ stage: { id } }) => id)
  }

  stageSkipped({
    stageId,
    status,
    reason,
    at,
  }: Parameters<NonNullable<RunObserver['stageSkipped']>>[0]) {
    const stage = this.#find(stageId)
    if (!stage) return
    stage.status = status
    stage.reason = reason
    this.#close(stage, at)
  }

  log({ runId: _run, ...entry }: { runId: string } & LogEntry) {
    this.#find(entry.stageId)?.logs.push(entry)
    this.#grow(entry, undefined)
  }

  callStarted(start: CallMoment) {
    this.#find(start.stageId)?.calls.push({ start })
    this.#grow(start.request, this.#lastContext?.request)
  }

  callEnded(end: CallMoment) {
    const { calls = [] } = this.#find(end.stageId) ?? {}
    const call = calls.find(({ start: { callId } }) => callId === end.callId)
    if (call) call.end = end
    this.#grow(end.response, undefined)
  }

  responseReady({ response, error, at }: ResponseMoment) {
    const run = this.#run
    if (!run) return
    const { summary } = run
    run.response = response
    this.#grow(response, this.#lastContext?.response)
    this.#begin(at)
    summary.responseTime = at
    summary.code = response.code
    summary.status = !error ? 'ok' : error.code === 'RUN_TERMINATED' ? 'cancelled' : 'failed'
    if (error)
      summary.error = {
        ...toSpanError(error),
        ...(error.stageId !== undefined && { stageId: error.stageId }),
      }
    if (this.#isWatched())
      setImmediate(() => {
        this.#flush()
        if (summary.endTime === undefined) this.#sendRun()
      })
  }

  runEnded() {
    if (!this.#run) return
    const { summary, stages } = this.#run
    summary.endTime = summary.startTime
    for (const { endTime = 0 } of stages) if (endTime > summary.endTime) summary.endTime = endTime
    if (this.#isWatched())
      setImmediate(() => {
        this.#flush()
        this.#sendRun()
      })
  }

  #find(stageId: string): StageRecord | undefined {
    return this.#run?.stages[this.#places?.get(stageId) ?? -1]
  }

  #isWatched(): boolean {
    return this.#parts.isWatched?.() ?? true
  }

  #sendRun() {
    if (this.#run && this.#isWatched())
      this.#parts.emit({ type: 'run', run: toSummary(this.#run, this.#parts.mask) })
  }

  #sendSpan(stage: StageRecord) {
    if (this.#run && this.#isWatched())
      this.#parts.emit({ type: 'span', span: toSpan(this.#run, stage, this.#parts.mask) })
  }

  #flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const stage of this.#ended.splice(0)) this.#sendSpan(stage)
  }

  /** The run begins with its first stage, so that no span lies outside of it. */
  #begin(at: number) {
    if (!this.#run || this.#hasBegun) return
    this.#hasBegun = true
    this.#run.summary.startTime = at
  }

  #grow(value: unknown, shared: unknown) {
    if (this.#run) this.#parts.store.grow(this.#run, addedBytes(value, shared))
  }

  #close(stage: StageRecord, at: number) {
    stage.startTime ??= at
    stage.endTime = Math.max(at, stage.startTime)
    this.#begin(stage.startTime)
    this.#grow(stage.output ?? stage.input, this.#lastContext)
    if (stage.output && !stage.stage.async) this.#lastContext = stage.output
    if (!this.#isWatched()) return
    this.#ended.push(stage)
    this.#timer ??= setTimeout(() => this.#flush(), PATIENCE_MS).unref()
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
      queuedTime: undefined,
      startTime: undefined,
      endTime: undefined,
      input: undefined,
      output: undefined,
      droppedWrites: [],
      logs: [],
      calls: [],
    })),
    sizeBytes: RUN_BYTES + STAGE_BYTES * stages.length,
  }
  return record
}
