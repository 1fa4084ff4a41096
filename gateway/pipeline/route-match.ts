import { indicesOf } from './indices-of.ts'
import type { RouteMatch } from './match.ts'
import type { Plan } from './plan.ts'
import { type RouteTemplate, withoutVersion } from './route-templates.ts'
import type { StageKind } from './stage-kind.ts'

/** What a path says when it fits a template of a plan. `segments` are the path's, decoded. */
export function toMatch<Kind extends StageKind>(
  plan: Plan<Kind>,
  { route, segments: template, isVersioned }: RouteTemplate,
  segments: readonly string[],
  url: string,
): RouteMatch<Kind> {
  const parameters: Record<string, string> = {}
  template.forEach((segment, place) => {
    if (typeof segment !== 'string') parameters[segment.parameter] = segments[place] ?? ''
  })
  return {
    plan,
    route,
    parameters,
    indices: indicesOf(template, segments),
    url: isVersioned ? withoutVersion(url) : url,
  }
}
