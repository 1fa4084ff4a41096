import type { Context } from '../contract/context.ts'
import type { LogEntry } from '../contract/trace.ts'
import type { GatewayError } from '../errors.ts'

/** What a run is about; given when it starts. */
export interface RunStart {
  runId: string
  pipelineId: string
  /** Path of the pipeline's file inside the workspace. */
  file?: string
  /** Method and path with query, as the client sent them. */
  method: string
  path: string
  /** The stages in the pipeline's order. */
  stages: readonly StageFacts[]
  /** Before any stage. */
  context: Context
  at: number
}

/** The part of a planned stage that observers show. */
export interface StageFacts {
  readonly id: string
  readonly index: number
  readonly use?: string
  readonly async: boolean
  /** Ids of the stages it needs directly. */
  readonly needs: readonly string[]
}

/** A moment in one stage. `context` is a snapshot: safe to keep, never changed later. */
export interface StageMoment {
  runId: string
  stageId: string
  context: Context
  /** Epoch milliseconds with fractions. */
  at: number
}

/** A stage that has done its work; `context` is what it was given. */
export interface StageResult extends StageMoment {
  /** The context after the stage; of an async stage, as those see it that need it. */
  output: Context
  /** Existing keys an async stage tried to write. */
  droppedWrites: readonly string[]
}

/** A stage that has failed. `continued` tells whether the run goes on. */
export interface StageFailure extends StageMoment {
  error: GatewayError
  continued: boolean
  /** The run was stopped from outside or has failed elsewhere. */
  cancelled: boolean
}

/** Why a stage did not run. */
export type SkipStatus = 'disabled' | 'skippedByTrigger' | 'skippedByNeed' | 'notReached'

/** A request a stage sends, and later its answer; bodies are the very strings. */
export interface CallMoment {
  runId: string
  stageId: string
  /** Pairs the end of a call with its start; unique in the run. */
  callId: number
  at: number
  request: { method: string; url: string; headers: Record<string, string>; body: string }
  /** Only when the call has ended, and one of the two. */
  response?: { code: number; headers: Record<string, string>; body: string }
  error?: string
}

/** The answer of a run, as the client gets it. */
export interface ResponseMoment {
  runId: string
  at: number
  response: Context['response']
  /** Ids of the stages whose failure was continued before the answer. */
  continued: readonly string[]
  error?: GatewayError
}

/** What one run came to, in numbers. The lists belong to the run: read them at once, keep none. */
export interface RunTally {
  /** Status code of the answer. */
  code: number
  /** Milliseconds until the answer was known. */
  tookMs: number
  error?: GatewayError
  /** By place in the pipeline's list; nothing for a stage that did not begin. */
  stageMs: readonly (number | undefined)[]
  /** Whether a stage failed, continued or not; by place in the list. */
  hasFailed(index: number): boolean
}

/** Watches (or holds) a run. Tracing, debugging and metrics are all observers. */
export interface RunObserver {
  /** True when `beforeStage` may return a promise: then no script stages are fused. */
  readonly mayHold?: boolean
  runStarted?(run: RunStart): void
  /** The stage could begin but for the stages it needs. */
  stageWaiting?(moment: { runId: string; stageId: string; at: number }): void
  /** The run waits for this promise: that wait is what a breakpoint is. */
  beforeStage?(moment: StageMoment): void | Promise<void>
  afterStage?(moment: StageResult): void
  stageFailed?(moment: StageFailure): void
  /** May follow `beforeStage`, when only then the trigger turned out to be false. */
  stageSkipped?(moment: {
    runId: string
    stageId: string
    at: number
    status: SkipStatus
    reason: string
  }): void
  log?(entry: { runId: string } & LogEntry): void
  callStarted?(call: CallMoment): void
  callEnded?(call: CallMoment): void
  responseReady?(moment: ResponseMoment): void
  /** Everything is done, stages in the background included. */
  runEnded?(moment: { runId: string; at: number }): void
}
