import type { Context } from '../contract/context.ts'
import type { GatewayError } from '../errors.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import type { ScriptResult } from '../scripting/sandbox.ts'
import { now } from './clock.ts'
import { type RunState, withinLimits } from './run-state.ts'

/**
 * Tells observers that a stage is about to run, and waits for those that hold it.
 * @throws what an observer that holds the stage ends the run with, or the reason it was stopped.
 */
export function announceBefore(
  state: RunState,
  { id }: PlannedStage,
  { context, at }: { context: Context; at?: number },
): Promise<void> | undefined {
  const { observers, request } = state
  let held: Promise<void> | undefined
  for (const observer of observers) {
    const tell = () =>
      observer.beforeStage?.({ runId: request.runId, stageId: id, context, at: at ?? now() })
    // One observer after the other: a stage held by the debugger has not begun for the recorder.
    if (held) held = held.then(tell)
    else held = tell() ?? undefined
  }
  return held && withinLimits(state, held, { abort: () => {} })
}

/** Tells observers that a stage waits for others. */
export function announceWaiting(state: RunState, { id }: PlannedStage) {
  for (const observer of state.observers)
    observer.stageWaiting?.({ runId: state.request.runId, stageId: id, at: now() })
}

/** Tells observers what a stage did. */
export function announceAfter(
  state: RunState,
  { id }: PlannedStage,
  result: { context: Context; output: Context; droppedWrites?: readonly string[]; at?: number },
) {
  const { context, output, droppedWrites = [], at = now() } = result
  for (const observer of state.observers)
    observer.afterStage?.({
      runId: state.request.runId,
      stageId: id,
      context,
      output,
      droppedWrites,
      at,
    })
}

/** Tells observers that a stage failed. */
export function announceFailure(
  state: RunState,
  { id }: PlannedStage,
  failure: { context: Context; error: GatewayError; continued: boolean; at?: number },
) {
  const { at = now(), ...rest } = failure
  for (const observer of state.observers)
    observer.stageFailed?.({
      runId: state.request.runId,
      stageId: id,
      at,
      cancelled: state.stopped !== undefined,
      ...rest,
    })
}

/** Hands on what a script wrote to its console. */
export function announceLogs(state: RunState, { logs }: Pick<ScriptResult, 'logs'>) {
  for (const observer of state.observers)
    for (const entry of logs) observer.log?.({ runId: state.request.runId, ...entry })
}
