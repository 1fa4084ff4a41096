import type { Plan, PlannedRoute } from './plan.ts'
import type { StageKind } from './stage-kind.ts'

/** One shape of path a plan listens on. */
export interface RouteTemplate {
  readonly route: PlannedRoute
  /** What the path's segments must be, a version's prefix and `/validate` included. */
  readonly segments: PlannedRoute['segments']
  /** Begins with the version's prefix, `/v3/…`. */
  readonly isVersioned: boolean
}

/** The stage that makes its pipeline answer below `<path>/validate`, too. */
const VALIDATE = 'validateQuery'

/** Every path a plan listens on: the plain ones when it is live, and those below its `/v<N>/`. */
export function templatesOf<Kind extends StageKind>(plan: Plan<Kind>): RouteTemplate[] {
  const { version, isLive = true } = plan
  const validates = plan.stages.some(({ use, enabled }) => use === VALIDATE && enabled)
  const prefixes = [version === undefined ? [] : `v${version}`, isLive ? '' : []].flat()
  return prefixes.flatMap((prefix) =>
    plan.routes.flatMap((route) =>
      (validates ? ['', 'validate'] : ['']).map((suffix) => ({
        route,
        segments: joined(prefix, route.segments, suffix),
        isVersioned: prefix !== '',
      })),
    ),
  )
}

/** The root's only segment is empty, and goes when something stands beside it. */
function joined(prefix: string, segments: PlannedRoute['segments'], suffix: string) {
  const all = [prefix, ...segments, suffix].filter((segment) => segment !== '')
  return all.length > 0 ? all : ['']
}

/** The order in which a plan's templates are tried: by prefix first, then literals before parameters. */
export function byTemplate(a: RouteTemplate, b: RouteTemplate): number {
  if (a.isVersioned !== b.isVersioned) return a.isVersioned ? -1 : 1
  for (const [place, segment] of a.segments.entries()) {
    const isOther = typeof segment !== typeof b.segments[place]
    if (isOther) return typeof segment === 'string' ? -1 : 1
  }
  return 0
}

/** Whether a path, given as decoded segments, has the template's shape. */
export const fits = (template: PlannedRoute['segments'], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, place) =>
    typeof part === 'string' ? part === segments[place] : segments[place] !== '',
  )

/** An address without its first segment, which was a version's prefix. */
export function withoutVersion(url: string): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const slash = path.indexOf('/', 1)
  return (slash < 0 ? '/' : path.slice(slash)) + (mark < 0 ? '' : url.slice(mark))
}
