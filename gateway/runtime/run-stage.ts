import type { Context } from '../contract/context.ts'
import { errors, type GatewayError } from '../errors.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import type { EntryStage, ScriptResult } from '../scripting/sandbox.ts'
import type { StageDefinition, StageOutcome } from '../stages/define.ts'
import { Stopper } from '../stop-signal.ts'
import { toInputs } from './inputs.ts'
import { type RunState, toStageError, withinLimits } from './run-state.ts'
import { whyNotTriggered } from './stage-trigger.ts'
import { timeLimit } from './time-limit.ts'
import { toScriptHost, toStageServices } from './stage-services.ts'

/** What one attempt to run a stage came to. */
export type Attempt =
  | { kind: 'native'; outcome: StageOutcome }
  | { kind: 'script'; result: ScriptResult }
  | { kind: 'skipped'; reason: string }
  /** `fatal`: whatever `continueOnError` says. */
  | { kind: 'failed'; error: GatewayError; fatal: boolean; result?: ScriptResult }

/** Trigger, inputs, work: one stage on the context it sees. Never rejects. */
export async function runStage(
  state: RunState,
  stage: PlannedStage<StageDefinition>,
  context: Context,
): Promise<Attempt> {
  try {
    const reason = whyNotTriggered(state, stage, context)
    if (reason !== undefined) return { kind: 'skipped', reason }
  } catch (cause) {
    return { kind: 'failed', error: toStageError(cause, stage), fatal: true }
  }
  try {
    if (stage.isScript) return await runOneScript(state, stage, context)
    const { kind } = stage
    if (!kind) throw errors.internal(`Stage "${stage.id}" has neither a kind nor a script`)
    const inputs = toInputs(stage, context)
    const { services, abort } = toStageServices(state, stage)
    const outcome = kind.run(context, inputs, services)
    if (!(outcome instanceof Promise)) return { kind: 'native', outcome }
    const limit = { ...timeLimit(state, stage), stageId: stage.id }
    return { kind: 'native', outcome: await withinLimits(state, outcome, { limit, abort }) }
  } catch (cause) {
    return {
      kind: 'failed',
      error: toStageError(cause, stage),
      fatal: stage.kind?.position === 'guard',
    }
  }
}

async function runOneScript(
  state: RunState,
  stage: PlannedStage<StageDefinition>,
  context: Context,
): Promise<Attempt> {
  const [result] = await enterScripts(state, [stage], context)
  if (!result) throw errors.internal(`The script of stage "${stage.id}" gave no result`)
  if (!result.error) return { kind: 'script', result }
  return { kind: 'failed', error: toStageError(result.error, stage), fatal: false, result }
}

/**
 * Enters the sandbox once for consecutive scripts of a run. When the run is stopped, the result of
 * the script that was under way has the reason as its error.
 */
export async function enterScripts(
  state: RunState,
  stages: readonly PlannedStage[],
  context: Context,
): Promise<ScriptResult[]> {
  const { program, runId } = state.request
  const [first] = stages
  if (!program || !first)
    throw errors.internal('A pipeline with scripts was started without its program')
  const { ms, name } = timeLimit(state, first)
  const stopper = new Stopper()
  const end = (reason: GatewayError) => stopper.abort(reason)
  state.active.add(end)
  const results = await program.run({
    runId,
    context,
    stages: entryStages(stages, first),
    isWatched: state.observers.length > 0,
    limits: { timeoutMs: ms, timeoutName: name },
    signal: stopper,
    host: toScriptHost(state),
  })
  state.active.delete(end)
  // A script that was ended by force leaves calls that nobody waits for any more.
  const { error } = results.at(-1) ?? {}
  if (error) stopper.abort(error)
  return results
}

/** By the list of fused stages, or by the one stage there is: those lists live as long as a plan. */
const known = new WeakMap<object, readonly EntryStage[]>()

function entryStages(stages: readonly PlannedStage[], first: PlannedStage) {
  const key = stages.length > 1 ? stages : first
  let entry = known.get(key)
  if (!entry) {
    entry = stages.map(({ id, continueOnError, async }) => ({
      stageId: id,
      continueOnError,
      async,
    }))
    known.set(key, entry)
  }
  return entry
}
