import { errors, GatewayError } from '../errors.ts'
import { checkAnswer } from './check-answer.ts'
import { now } from './clock.ts'
import { setDeadline } from './deadline.ts'
import { toErrorResponse, toResponse } from './response.ts'
import { leaveRest, runAsync } from './run-async.ts'
import { runLine } from './run-line.ts'
import type { RunRequest, RunResult } from './run-request.ts'
import { createRunState, type RunState, stop } from './run-state.ts'
import { backgroundLimit } from './time-limit.ts'

/**
 * Runs a pipeline on a request. Settles when the answer is known; stages nobody waits for go on in
 * the background. Never rejects: a run that fails has an error and its answer.
 */
export async function executeRun(request: RunRequest): Promise<RunResult> {
  const state = createRunState(request)
  announceStart(state)
  const background: Promise<void>[] = []
  const disarm = arm(state)
  let error: GatewayError | undefined
  try {
    await runLine(state, () => {
      for (const index of state.plan.asyncStages) {
        const stage = state.plan.stages[index]
        if (stage) background.push(runAsync(state, stage))
      }
    })
    if (state.stopped) throw state.stopped
    checkAnswer(state.context.response)
  } catch (cause) {
    error = state.stopped ?? toRunError(cause)
    stop(state, error)
  }
  disarm()
  leaveRest(state)
  const continued = continuedBefore(state)
  const summary = { tookMs: now() - state.startTime, continued }
  const response = error
    ? toErrorResponse(error, request, summary)
    : toResponse(state.context, request, summary)
  const { runId } = request
  for (const observer of state.observers)
    observer.responseReady?.({
      runId,
      at: now(),
      response,
      continued,
      ...(error && { error }),
    })
  const announceEnd = () => {
    for (const observer of state.observers) observer.runEnded?.({ runId, at: now() })
    request.tally?.({
      code: response.code,
      tookMs: summary.tookMs,
      ...(error && { error }),
      stageMs: state.stageMs,
      hasFailed: (index) => hasFailed(state, index),
    })
  }
  if (background.length === 0) announceEnd()
  return {
    response,
    continued,
    ...(background.length > 0 && { background: finishLater(state, background).then(announceEnd) }),
    ...(error && { error }),
  }
}

/** Lets the stages in the background come to their end, but not beyond their own limit. */
async function finishLater(state: RunState, background: readonly Promise<void>[]) {
  const { ms, name } = backgroundLimit(state)
  const timer = setTimeout(
    () =>
      stop(
        state,
        errors.stageTimeout(
          `Pipeline "${state.plan.pipelineId}" had stages under way ${ms} ms after its answer, ${name}`,
        ),
      ),
    ms,
  )
  await Promise.allSettled(background)
  clearTimeout(timer)
}

function announceStart(state: RunState) {
  if (state.observers.length === 0) return
  const { request, plan } = state
  const { pipelineId, file, stages } = plan
  for (const observer of state.observers)
    observer.runStarted?.({
      runId: request.runId,
      pipelineId,
      file,
      method: request.request.method,
      path: request.request.url,
      stages,
      context: state.initial,
      at: state.startTime,
    })
}

/** Stops the run when its time is over or the client leaves, until it is disarmed. */
function arm(state: RunState): () => void {
  const { limits, request, plan } = state
  const timer = Number.isFinite(limits.runMs)
    ? setDeadline(limits.runMs, () =>
        stop(
          state,
          errors.runTimeout(
            `Pipeline "${plan.pipelineId}" took longer than ${limits.runMs} ms, the limit of one run (limits.runMs)`,
          ),
        ),
      )
    : undefined
  const { signal } = request
  const leave = () =>
    stop(
      state,
      signal?.reason instanceof GatewayError
        ? signal.reason
        : errors.runTerminated('The client hung up before the answer was there'),
    )
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave)
  return () => {
    timer?.clear()
    signal?.removeEventListener('abort', leave)
  }
}

/** Only stages the answer waited for count, so that it does not depend on timing. */
const continuedBefore = ({ plan, settled, awaited }: RunState): string[] =>
  plan.stages.flatMap(({ id, index, async }) =>
    settled[index]?.kind === 'continued' && (!async || awaited.has(index)) ? id : [],
  )

const hasFailed = ({ settled }: RunState, index: number) => {
  const kind = settled[index]?.kind
  return kind === 'failed' || kind === 'continued'
}

const toRunError = (cause: unknown) =>
  cause instanceof GatewayError
    ? cause
    : errors.internal('Sluice failed to run the pipeline; its log has the details', { cause })
