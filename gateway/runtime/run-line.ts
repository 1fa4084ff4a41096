import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import type { ScriptResult } from '../scripting/sandbox.ts'
import type { StageDefinition } from '../stages/define.ts'
import {
  announceAfter,
  announceBefore,
  announceFailure,
  announceLogs,
  announceWaiting,
} from './announce.ts'
import { carryOver, mergeChanges, withGifts } from './context.ts'
import { type Attempt, enterScripts, runStage } from './run-stage.ts'
import { type RunState, settle, skip, toStageError, whenSettled } from './run-state.ts'
import { whySkipped } from './skipping.ts'

type Stage = PlannedStage<StageDefinition>
type Failed = Extract<Attempt, { kind: 'failed' }>

/**
 * Runs the synchronous stages in order until the last one or until one ends the pipeline.
 * `whenGuarded` is called once, as soon as all guards have let the request pass.
 * @throws the error of a stage that stops the run, or the reason the run was stopped with.
 */
export async function runLine(state: RunState, whenGuarded: () => void): Promise<void> {
  let isGuarded = false
  for (const members of state.plan.line) {
    if (!isGuarded && members[0]?.kind?.position !== 'guard') {
      isGuarded = true
      whenGuarded()
    }
    if (members.length > 1 && !state.mayHold) await runScripts(state, members)
    else for (const stage of members) if (await runOne(state, stage)) return
  }
  if (!isGuarded) whenGuarded()
}

/** @returns whether the stage ended the pipeline. */
async function runOne(state: RunState, stage: Stage): Promise<boolean> {
  if (state.stopped) throw state.stopped
  if (stage.enabled && stage.asyncNeeds.length > 0) await awaitNeeds(state, stage)
  const skipping = whySkipped(state, stage)
  if (skipping) {
    skip(state, stage, skipping)
    return false
  }
  const seen =
    stage.asyncNeeds.length > 0
      ? withGifts(
          state.context,
          stage.asyncNeeds.map((need) => state.gifts[need]),
        )
      : state.context
  const held = state.observers.length > 0 && announceBefore(state, stage, { context: seen })
  if (held) await held
  const startTime = performance.now()
  const attempt = await runStage(state, stage, seen)
  if (attempt.kind !== 'skipped') state.stageMs[stage.index] = performance.now() - startTime
  switch (attempt.kind) {
    case 'skipped':
      skip(state, stage, {
        status: 'skippedByTrigger',
        reason: attempt.reason,
        because: 'whose trigger was false',
      })
      return false
    case 'failed':
      fail(state, stage, seen, attempt)
      return false
    case 'script':
      return finishScript(state, stage, seen, attempt.result)
    default: {
      const { changes, end = false } = attempt.outcome
      finish(state, stage, { seen, after: changes ? mergeChanges(seen, changes) : seen })
      return end || endsQuietly(state, stage)
    }
  }
}

/** Scripts between which nothing can happen enter the sandbox together. */
async function runScripts(state: RunState, members: readonly Stage[]) {
  let rest = withoutSkipped(state, members)
  while (rest.length > 0) {
    if (state.stopped) throw state.stopped
    const results = await enterTogether(state, rest)
    // A script that had to be ended by force ends the entry; those behind it enter anew.
    rest = rest.slice(results)
  }
}

/** The very same list when all of them run. */
function withoutSkipped(state: RunState, members: readonly Stage[]): readonly Stage[] {
  let isWhole = true
  const rest = members.filter((stage) => {
    const skipping = whySkipped(state, stage)
    if (skipping) skip(state, stage, skipping)
    isWhole &&= !skipping
    return !skipping
  })
  return isWhole ? members : rest
}

/** @returns how many of the stages are done. */
async function enterTogether(state: RunState, stages: readonly Stage[]): Promise<number> {
  const [first] = stages
  if (!first) return 0
  const isWatched = state.observers.length > 0
  if (isWatched) void announceBefore(state, first, { context: state.context })
  let results: ScriptResult[]
  try {
    results = await enterScripts(state, stages, state.context)
    if (results.length === 0) throw errors.internal('The sandbox gave no result')
  } catch (cause) {
    const error = toStageError(cause, first)
    fail(state, first, state.context, { kind: 'failed', error, fatal: true })
    return 1
  }
  for (const [place, result] of results.entries()) {
    const stage = stages[place]
    if (!stage) break
    const seen = state.context
    state.stageMs[stage.index] = result.endTime - result.startTime
    if (isWatched && place > 0)
      void announceBefore(state, stage, { context: seen, at: result.startTime })
    if (result.error) {
      const error = toStageError(result.error, stage)
      fail(state, stage, seen, { kind: 'failed', error, fatal: false, result })
    } else finishScript(state, stage, seen, result)
  }
  return results.length
}

async function awaitNeeds(state: RunState, stage: Stage) {
  const open = stage.needIndices.flatMap((need) => whenSettled(state, need) ?? [])
  if (open.length > 0) {
    announceWaiting(state, stage)
    await Promise.all(open)
  }
  if (state.stopped) throw state.stopped
  // Behind a need that was skipped nobody has waited, so what lies there must not count.
  const isSkipped = stage.needIndices.some((need) => state.settled[need]?.kind === 'skipped')
  for (const need of stage.asyncNeeds) {
    if (isSkipped && !stage.needIndices.includes(need)) continue
    state.awaited.add(need)
    const settled = state.settled[need]
    if (settled?.kind === 'failed') throw settled.error
  }
}

/** @returns whether the stage ended the pipeline. */
function finishScript(state: RunState, stage: Stage, seen: Context, result: ScriptResult) {
  announceLogs(state, result)
  // The sandbox lets no script break the shape of a context.
  finish(state, stage, { seen, after: result.context as Context, at: result.endTime })
  return endsQuietly(state, stage)
}

function finish(
  state: RunState,
  stage: Stage,
  { seen, after, at }: { seen: Context; after: Context; at?: number },
) {
  if (state.observers.length > 0)
    announceAfter(state, stage, { context: seen, output: after, ...(at !== undefined && { at }) })
  state.context = carryOver(state.context, seen, after)
  settle(state, stage, { kind: 'done' })
}

/** A stage that may not fail ends the pipeline when it leaves an answer that tells of a failure. */
const endsQuietly = (state: RunState, stage: Stage) =>
  !stage.continueOnError && state.context.response.code >= 400

/** Steps over a failure, or stops the run with it. */
function fail(state: RunState, stage: Stage, seen: Context, { error, fatal, result }: Failed) {
  const continued = stage.continueOnError && !fatal && !state.stopped
  if (result) announceLogs(state, result)
  if (state.observers.length > 0)
    announceFailure(state, stage, {
      context: seen,
      error,
      continued,
      ...(result && { at: result.endTime }),
    })
  settle(state, stage, continued ? { kind: 'continued' } : { kind: 'failed', error })
  if (!continued) throw error
}
