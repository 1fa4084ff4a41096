import type { Context } from '../contract/context.ts'
import { providedAiConfig, providedEnvs } from '../pipeline/provided-envs.ts'
import { contextRequest, withUrl } from '../pipeline/request-facts.ts'
import type { ContextChanges } from '../stages/define.ts'
import type { RunRequest } from './run-request.ts'

/** The context a run begins with. Credentials are not in it, so they are in no trace either. */
export function toContext({ match, request: came, envs, observers = [] }: RunRequest): Context {
  const { plan, route, indices } = match
  const request = withUrl(came, match.url)
  // A trace shows the envs a script could have read, whether or not one does.
  const withBody = route.category === 'declarative' && (plan.readsBodyEnvs || observers.length > 0)
  const allEnvs: Record<string, unknown> = {
    ...providedAiConfig(envs),
    ...envs,
    ...providedEnvs(request, route, indices, withBody),
    ...plan.envs,
  }
  const asItCame = contextRequest(request)
  const url = urlFrom(allEnvs)
  return {
    request: url === undefined ? asItCame : { ...asItCame, url },
    response: { code: 200, headers: {}, body: '' },
    envs: allEnvs,
  }
}

/** An address the author set goes before the request's own; domain, section 1.5. */
function urlFrom({ searchURL, url, URL }: Readonly<Record<string, unknown>>) {
  const set = searchURL ?? url ?? URL
  return typeof set === 'string' && set !== '' ? set : undefined
}

/** Lays changes over a context: shallow by key, one level deeper for the three fixed keys. Pure. */
export function mergeChanges(context: Context, changes: ContextChanges): Context {
  const { request, response, envs } = changes
  return {
    ...context,
    ...changes,
    request: request ? { ...context.request, ...request } : context.request,
    response: response ? { ...context.response, ...response } : context.response,
    envs: envs ? { ...context.envs, ...envs } : context.envs,
  }
}

/**
 * The context as a stage sees it: what the asynchronous stages it needs gave, beside what is there.
 * `gifts` are in list order; of two with one key the earlier counts, and what exists is kept.
 */
export function withGifts(
  context: Context,
  gifts: readonly (Readonly<Record<string, unknown>> | undefined)[],
): Context {
  const seen: Context = { ...context }
  for (const gift of gifts)
    for (const key in gift) if (!Object.hasOwn(seen, key)) seen[key] = gift[key]
  return seen
}

/** Carries what a stage changed of the context it saw over to the context of the run. */
export function carryOver(context: Context, seen: Context, after: Context): Context {
  if (context === seen) return after
  const next: Context = { ...context }
  for (const key in after) if (after[key] !== seen[key]) next[key] = after[key]
  for (const key in seen) if (!Object.hasOwn(after, key)) delete next[key]
  return next
}
