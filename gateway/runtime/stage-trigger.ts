import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'
import { declarativeFacts } from '../pipeline/declarative-facts.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import { withUrl } from '../pipeline/request-facts.ts'
import { holds, type Resolve } from '../pipeline/trigger/evaluate.ts'
import { explain, summarise } from '../pipeline/trigger/explain.ts'
import { requestScope } from '../pipeline/trigger/request-scope.ts'
import { ExpressionError } from '../pipeline/trigger/tokens.ts'
import type { RunState } from './run-state.ts'

/**
 * Why a stage's trigger says no; nothing when it says yes or there is none.
 * @throws {GatewayError} TRIGGER_FAILED when the expression cannot be evaluated.
 */
export function whyNotTriggered(
  state: RunState,
  stage: PlannedStage,
  context: Context,
): string | undefined {
  const { trigger } = stage
  if (!trigger) return undefined
  const resolve = stageScope(state, stage, context)
  try {
    if (holds(trigger, resolve)) return undefined
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause
    throw errors.triggerFailed(
      `The trigger of stage "${stage.id}" failed: ${cause.message} (in ${trigger.text})`,
      { cause, stageId: stage.id, source: stage.source },
    )
  }
  if (state.observers.length === 0) return 'its trigger was false'
  const values = summarise(explain(trigger, resolve))
  return `its trigger was false: ${trigger.text}${values && ` where ${values}`}`
}

/** `envs` are those before any stage; `context` is alive, keys of earlier stages included. */
function stageScope(state: RunState, stage: PlannedStage, context: Context): Resolve {
  const { match } = state.request
  const request = withUrl(state.request.request, match.url)
  const [query = { value: undefined }] = stage.trigger?.names.has('$query')
    ? declarativeFacts(request).queries.filter(({ value }) => typeof value === 'string')
    : declarativeFacts(request).queries
  const { route, indices, plan } = match
  const about = { request, route, indices, envs: state.envs, ownEnvs: plan.envs }
  const facts = requestScope(about, query)
  return (name) => {
    if (name === 'context') return context
    if (name === 'envs') return state.envs
    return name === 'inputs' ? stage.writtenInputs : facts(name)
  }
}
