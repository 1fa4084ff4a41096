import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../contract/context.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import type { StageDefinition } from '../stages/define.ts'
import {
  announceAfter,
  announceBefore,
  announceFailure,
  announceLogs,
  announceWaiting,
} from './announce.ts'
import { withGifts } from './context.ts'
import { type Attempt, runStage } from './run-stage.ts'
import { type RunState, settle, skip, stop, toStageError, whenSettled } from './run-state.ts'
import { whySkipped } from './skipping.ts'

/**
 * Runs one asynchronous stage as soon as its needs allow. What it sees depends on its needs alone,
 * never on how far the others have come. Never rejects.
 */
export async function runAsync(
  state: RunState,
  stage: PlannedStage<StageDefinition>,
): Promise<void> {
  const open = stage.enabled
    ? stage.needIndices.flatMap((need) => whenSettled(state, need) ?? [])
    : []
  if (open.length > 0) {
    announceWaiting(state, stage)
    await Promise.all(open)
  }
  const skipping = whySkipped(state, stage)
  if (skipping) return skip(state, stage, skipping)
  if (state.stopped) {
    const reason = 'the run was stopped before'
    return skip(state, stage, { status: 'notReached', reason, because: `which ${reason}` })
  }
  const base = stage.sees === undefined ? state.initial : (state.after[stage.sees] ?? state.initial)
  const seen =
    stage.asyncNeeds.length > 0
      ? withGifts(
          base,
          stage.asyncNeeds.map((need) => state.gifts[need]),
        )
      : base
  try {
    await announceBefore(state, stage, { context: seen })
  } catch (cause) {
    // Whoever held the stage ended the run.
    const error = toStageError(cause, stage)
    stop(state, error)
    return finish(state, stage, seen, { kind: 'failed', error, fatal: true })
  }
  const startTime = performance.now()
  const attempt = await runStage(state, stage, seen)
  if (attempt.kind !== 'skipped') state.stageMs[stage.index] = performance.now() - startTime
  finish(state, stage, seen, attempt)
}

function finish(
  state: RunState,
  stage: PlannedStage<StageDefinition>,
  seen: Context,
  attempt: Attempt,
) {
  if (attempt.kind === 'skipped')
    return skip(state, stage, {
      status: 'skippedByTrigger',
      reason: attempt.reason,
      because: 'whose trigger was false',
    })
  if (attempt.kind === 'failed') {
    const { error, fatal, result } = attempt
    const continued = stage.continueOnError && !fatal && !state.stopped
    if (result) announceLogs(state, result)
    announceFailure(state, stage, { context: seen, error, continued })
    return settle(state, stage, continued ? { kind: 'continued' } : { kind: 'failed', error })
  }
  if (attempt.kind === 'script') announceLogs(state, attempt.result)
  const { gift, droppedWrites } = toGift(stage.id, seen, attempt)
  announceAfter(state, stage, { context: seen, output: withGifts(seen, [gift]), droppedWrites })
  state.gifts[stage.index] = gift
  settle(state, stage, { kind: 'done' })
}

/** The new keys an asynchronous stage gives; what it may not write is dropped and named. */
function toGift(
  stageId: string,
  seen: Context,
  attempt: Extract<Attempt, { kind: 'native' | 'script' }>,
) {
  const gift: Record<string, unknown> = {}
  const dropped = new Set<string>()
  const offer = (values: Readonly<Record<string, unknown>>) => {
    for (const key of Object.keys(values))
      if (!Object.hasOwn(seen, key))
        gift[key] = (Object.hasOwn(gift, key) ? gift[key] : undefined) ?? values[key]
      else if (values[key] !== seen[key] && !isDeepStrictEqual(values[key], seen[key]))
        dropped.add(key)
  }
  if (attempt.kind === 'native') {
    const { output, changes } = attempt.outcome
    if (output !== undefined) offer({ [stageId]: output })
    if (changes) offer(changes)
  } else {
    const { returned, context } = attempt.result
    if (returned !== undefined && returned !== null) offer({ [stageId]: returned })
    if (isMap(returned)) offer(returned)
    offer(context)
    for (const key in seen) if (!Object.hasOwn(context, key)) dropped.add(key)
  }
  return { gift, droppedWrites: [...dropped] }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Settles every synchronous stage that will not run any more. */
export function leaveRest(state: RunState) {
  for (const stage of state.plan.stages)
    if (!stage.async && !state.settled[stage.index]) {
      const reason = state.stopped ? 'the run was stopped before' : 'the pipeline ended before'
      skip(state, stage, { status: 'notReached', reason, because: `which ${reason}` })
    }
}
