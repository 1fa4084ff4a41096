import type { Context } from '../contract/context.ts'
import { usualLimits } from '../contract/limits.ts'
import { errors, GatewayError } from '../errors.ts'
import type { Plan, PlannedStage } from '../pipeline/plan.ts'
import type { StageDefinition } from '../stages/define.ts'
import { now } from './clock.ts'
import { toContext } from './context.ts'
import { setDeadline } from './deadline.ts'
import type { RunObserver, SkipStatus } from './observer.ts'
import type { RunLimits, RunRequest } from './run-request.ts'
import type { TimeLimit } from './time-limit.ts'

/** What became of a stage, as far as other stages care. */
export type Settled =
  | { kind: 'done' }
  /** `because` goes on behind the stage's name: `whose trigger was false`. */
  | { kind: 'skipped'; because: string }
  | { kind: 'continued' }
  /** Ends the run of whoever needs it. */
  | { kind: 'failed'; error: GatewayError }
  | { kind: 'notReached' }

/** Everything one run owns. */
export interface RunState {
  readonly request: RunRequest
  readonly plan: Plan<StageDefinition>
  readonly limits: RunLimits
  readonly observers: readonly RunObserver[]
  /** Whether an observer may hold stages, so that scripts are entered one by one. */
  readonly mayHold: boolean
  readonly startTime: number
  /** The envs before any stage, which triggers read. */
  readonly envs: Context['envs']
  readonly initial: Context
  /** After the last synchronous stage so far. */
  context: Context
  /** Synchronous stages by index: the context after each; kept only where asynchronous stages are. */
  readonly after: Context[]
  /** Asynchronous stages that the answer has waited for. */
  readonly awaited: Set<number>
  /** Asynchronous stages by index: the keys they gave. */
  readonly gifts: (Readonly<Record<string, unknown>> | undefined)[]
  readonly settled: (Settled | undefined)[]
  /** By index: how long a stage took, as far as it began; in milliseconds. */
  readonly stageMs: (number | undefined)[]
  readonly waiting: Map<number, { promise: Promise<void>; resolve: () => void }>
  /** Ends whatever is under way, each by its own way. */
  readonly active: Set<(reason: GatewayError) => void>
  /** Why the run was stopped before its end. */
  stopped?: GatewayError
  calls: number
}

/** Prepares a run; nothing has begun yet. */
export function createRunState(request: RunRequest): RunState {
  const observers = request.observers ?? []
  const initial = toContext(request)
  const startTime = now()
  return {
    request,
    plan: request.match.plan,
    limits: request.limits ?? usualLimits,
    observers,
    mayHold: observers.some(({ mayHold }) => mayHold),
    startTime,
    envs: initial.envs,
    initial,
    context: initial,
    after: [],
    awaited: new Set(),
    gifts: [],
    settled: [],
    stageMs: [],
    waiting: new Map(),
    active: new Set(),
    calls: 0,
  }
}

/** Records what became of a stage and wakes those who wait for it. */
export function settle(state: RunState, { index, async }: PlannedStage, outcome: Settled) {
  state.settled[index] = outcome
  if (!async && state.plan.asyncStages.length > 0) state.after[index] = state.context
  state.waiting.get(index)?.resolve()
}

/** Settles a stage as not run, and says so. */
export function skip(
  state: RunState,
  stage: PlannedStage,
  { status, reason, because }: { status: SkipStatus; reason: string; because: string },
) {
  for (const observer of state.observers)
    observer.stageSkipped?.({
      runId: state.request.runId,
      stageId: stage.id,
      at: now(),
      status,
      reason,
    })
  settle(
    state,
    stage,
    status === 'notReached' ? { kind: 'notReached' } : { kind: 'skipped', because },
  )
}

/** Resolves when a stage is settled. */
export function whenSettled(state: RunState, index: number): Promise<void> | undefined {
  if (state.settled[index]) return undefined
  let waiting = state.waiting.get(index)
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting = { promise, resolve }
    state.waiting.set(index, waiting)
  }
  return waiting.promise
}

/** Stops a run: whatever is under way ends with the reason, and nothing new begins. */
export function stop(state: RunState, reason: GatewayError) {
  if (state.stopped) return
  state.stopped = reason
  for (const end of state.active) end(reason)
}

/**
 * Waits for a promise, but not beyond a limit nor beyond the run. `abort` tells the work itself.
 * @throws {GatewayError} STAGE_TIMEOUT naming the limit, or the reason the run was stopped with.
 */
export function withinLimits<T>(
  state: RunState,
  work: Promise<T>,
  { limit, abort }: { limit?: TimeLimit & { stageId: string }; abort: (reason: unknown) => void },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (reason: GatewayError) => {
      finish()
      abort(reason)
      reject(reason)
    }
    const timer =
      limit &&
      setDeadline(limit.ms, () =>
        end(
          errors.stageTimeout(
            `Stage "${limit.stageId}" took longer than ${limit.ms} ms, ${limit.name}`,
            { stageId: limit.stageId },
          ),
        ),
      )
    const finish = () => {
      timer?.clear()
      state.active.delete(end)
    }
    state.active.add(end)
    work.then(
      (value) => {
        finish()
        resolve(value)
      },
      (error: unknown) => {
        finish()
        reject(error)
      },
    )
  })
}

/** A failure as one of ours, with the stage it arose in and its place in the pipeline's text. */
export function toStageError(cause: unknown, { id, source }: PlannedStage): GatewayError {
  if (!(cause instanceof GatewayError)) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return errors.stageFailed(why, { cause, stageId: id, source })
  }
  if (cause.stageId !== undefined && cause.source) return cause
  return new GatewayError(cause, cause.message, {
    cause: cause.cause,
    stageId: cause.stageId ?? id,
    source: cause.source ?? source,
    retryAfterSeconds: cause.retryAfterSeconds,
    frames: cause.frames,
  })
}
