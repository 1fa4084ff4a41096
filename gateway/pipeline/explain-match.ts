import { decideTrigger, queriesOf } from './decide-trigger.ts'
import { indicesOf } from './indices-of.ts'
import type { Plan, PlannedRoute } from './plan.ts'
import type { RequestFacts } from './request-facts.ts'
import { explain, type Explanation } from './trigger/explain.ts'
import { requestScope } from './trigger/request-scope.ts'

/** What became of one pipeline when a request came. */
export interface MatchExplanation {
  pipelineId: string
  file?: string
  priority: number
  outcome: 'taken' | 'later' | 'disabled' | 'scheduled' | 'path' | 'method' | 'trigger'
  /** A sentence for the user; the trigger's parts with their values stand in `trigger`. */
  reason: string
  trigger?: Explanation
}

/** Explains all plans, in the order in which they are tried. `segments` are the path's, decoded. */
export function explainMatch(
  plans: readonly Plan[],
  segments: readonly string[],
  request: RequestFacts,
): MatchExplanation[] {
  let taken: string | undefined
  return plans.map((plan) => {
    const { pipelineId, file, priority } = plan
    const found = explainOne(plan, segments, request)
    if (found.outcome !== 'taken') return { pipelineId, file, priority, ...found }
    if (taken === undefined) {
      taken = pipelineId
      return { pipelineId, file, priority, ...found }
    }
    const reason = `It would match, but "${taken}" is tried before it and takes the request`
    return { pipelineId, file, priority, ...found, outcome: 'later', reason }
  })
}

function explainOne(
  plan: Plan,
  segments: readonly string[],
  request: RequestFacts,
): Pick<MatchExplanation, 'outcome' | 'reason' | 'trigger'> {
  if (!plan.enabled) return { outcome: 'disabled', reason: 'It is disabled' }
  if (plan.trigger.type === 'cron')
    return { outcome: 'scheduled', reason: 'It runs on its schedule and never on a request' }
  const onPath = plan.routes.filter((route) => fits(route, segments))
  const route = onPath.find(({ method }) => method === request.method)
  if (!route)
    return onPath.length > 0
      ? {
          outcome: 'method',
          reason: `Its route ${onPath[0]?.path} listens to ${onPath.map((one) => one.method).join(', ')}, not to ${request.method}`,
        }
      : {
          outcome: 'path',
          reason: `None of its routes fits the path: ${plan.routes.map(({ path }) => path).join(', ')}`,
        }
  const indices = indicesOf(route, segments)
  const known = { ...request, body: request.body ?? '' }
  const decision = decideTrigger(plan, route, indices, known)
  const { expression, needsBody } = plan.trigger
  const trigger =
    expression &&
    queriesOf(needsBody, known)
      .map((query) =>
        explain(
          expression,
          requestScope({ request: known, route, indices, envs: plan.envs }, query),
        ),
      )
      .reduce((best, one) => (best.value === 'true' ? best : one))
  if (decision === true) return { outcome: 'taken', reason: 'It takes the request', trigger }
  const reason = decision === 'needsBody' ? 'its trigger needs the body' : decision.reason
  return { outcome: 'trigger', reason: `It is passed over: ${reason}`, trigger }
}

const fits = ({ segments: template }: PlannedRoute, segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, place) =>
    typeof part === 'string' ? part === segments[place] : segments[place] !== '',
  )
