import type { RouteMatch } from './match.ts'
import type { Plan } from './plan.ts'
import type { RequestFacts } from './request-facts.ts'
import { toMatch } from './route-match.ts'
import type { StageKind } from './stage-kind.ts'

/**
 * The request a pipeline gets on its schedule: method and path of its first route, as written, from
 * the gateway itself; a parameter in the path has no value. A header tells the tick, which a run may
 * be a little late for; `tick` is epoch milliseconds.
 */
export function scheduledMatch<Kind extends StageKind>(
  plan: Plan<Kind>,
  tick: number,
): { match: RouteMatch<Kind>; request: RequestFacts } {
  const [route] = plan.routes
  // Only a text that was not checked has no route.
  if (!route) throw new Error(`Pipeline "${plan.pipelineId}" has no route`)
  const { method, path, segments } = route
  const values = segments.map((segment) => (typeof segment === 'string' ? segment : ''))
  const template = { route, segments, isVersioned: false }
  return {
    match: toMatch(plan, template, values, path),
    request: {
      method,
      url: path,
      headers: { host: 'localhost', 'x-sluice-tick': new Date(tick).toISOString() },
      body: '',
      clientIp: '127.0.0.1',
      isTls: false,
    },
  }
}
