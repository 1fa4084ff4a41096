import { declarativeFacts } from './declarative-facts.ts'
import type { RouteMatch } from './match.ts'
import type { Plan, PlannedRoute } from './plan.ts'
import { type RequestFacts, withUrl } from './request-facts.ts'
import { holds } from './trigger/evaluate.ts'
import { type RequestAbout, requestScope } from './trigger/request-scope.ts'
import { ExpressionError } from './trigger/tokens.ts'

/** Sub-categories of requests that put documents into an index or take them out. */
const INDEXING = new Set([
  'index',
  'create',
  'update',
  'update_by_query',
  'bulk',
  'delete',
  'delete_by_query',
])

/**
 * Whether a pipeline's trigger takes a request that its route matches, else why not. An expression
 * that fails to evaluate does not match. Never throws.
 */
export function decideTrigger(
  match: RouteMatch,
  request: RequestFacts,
  envs: Readonly<Record<string, unknown>>,
): true | 'needsBody' | { reason: string } {
  const { plan, route } = match
  const { trigger } = plan
  const why = outsideTimeframe(trigger, Date.now()) ?? notIndexing(trigger.type, route, request)
  if (why) return { reason: why }
  const { expression } = trigger
  if (!expression) return true
  if (trigger.needsBody && request.body === undefined) return 'needsBody'
  const about = aboutMatch(match, request, envs)
  let failure: string | undefined
  for (const query of queriesOf(trigger.needsBody, request))
    try {
      if (holds(expression, requestScope(about, query))) return true
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      failure = error.message
    }
  return { reason: failure ?? `its trigger "${expression.text}" is false` }
}

/** What a pipeline's expression is asked about. */
export const aboutMatch = (
  { plan, route, indices, url }: RouteMatch,
  request: RequestFacts,
  envs: Readonly<Record<string, unknown>>,
): RequestAbout => ({
  request: withUrl(request, url),
  route,
  indices,
  envs,
  ownEnvs: plan.envs,
})

/** The queries an expression is asked about, one after the other; one empty one when there are none. */
export function queriesOf(needsBody: boolean, request: RequestFacts) {
  const queries = needsBody ? declarativeFacts(request).queries : []
  return queries.length > 0 ? queries : [{ value: undefined }]
}

/** Why a trigger's timeframe excludes a moment, epoch milliseconds; nothing when it does not. */
export function outsideTimeframe({ startTime, endTime }: Plan['trigger'], now: number) {
  if (startTime !== undefined && !(now >= startTime)) return 'its timeframe has not begun'
  if (endTime !== undefined && !(now < endTime)) return 'its timeframe is over'
  return undefined
}

/** Why an index trigger does not concern a request; nothing when it does, or is no index trigger. */
export function notIndexing(
  type: Plan['trigger']['type'],
  route: PlannedRoute,
  request: RequestFacts,
) {
  if (type !== 'index') return undefined
  const category = route.category ?? request.category
  const acl = route.acl ?? request.acl
  return isIndexing(category, acl)
    ? undefined
    : 'its trigger wants a request that indexes documents'
}

/** Whether requests of a category and its sub-category put documents into an index or take them out. */
export const isIndexing = (category: string | undefined, acl: string | undefined) =>
  category === 'docs' && acl !== undefined && INDEXING.has(acl)
