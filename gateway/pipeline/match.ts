import { canonicalName } from './dialect.ts'
import { decideTrigger } from './decide-trigger.ts'
import { explainMatch } from './explain-match.ts'
import { indicesOf } from './indices-of.ts'
import type { Plan, PlannedRoute } from './plan.ts'
import { pathOf, type RequestFacts } from './request-facts.ts'
import type { StageKind } from './stage-kind.ts'

/** The pipeline that takes a request, and what its path says. */
export interface RouteMatch<Kind extends StageKind = StageKind> {
  readonly plan: Plan<Kind>
  readonly route: PlannedRoute
  /** Values of the template's parameters, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** Indices the path names, by `{index}` or before `/_declarative`. */
  readonly indices: readonly string[]
}

/** Finds the pipeline for a request. */
export interface Matcher<Kind extends StageKind = StageKind> {
  /**
   * Whether a pipeline could match at all: one look-up, so that pass-through pays no more.
   * `firstSegment` is as it came, without slashes or query.
   */
  mayMatch(method: string, firstSegment: string): boolean
  /** `needsBody`: a trigger cannot be decided before the body is known; read it and ask again. */
  match(request: RequestFacts): RouteMatch<Kind> | 'needsBody' | undefined
  /** Every pipeline with the reason why it took the request or did not, first tried first. */
  explain(request: RequestFacts): ReturnType<typeof explainMatch>
}

interface Entry<Kind extends StageKind> {
  /** Place in the order in which pipelines are tried. */
  rank: number
  plan: Plan<Kind>
  route: PlannedRoute
}

/** One segment's place in the tree of all templates with one method. */
interface Branch<Kind extends StageKind> {
  literals: Map<string, Branch<Kind>>
  parameter?: Branch<Kind>
  entries: Entry<Kind>[]
}

/** Indexes the routes of all plans by method and segment. Plans that traffic cannot reach are left out. */
export function createMatcher<Kind extends StageKind>(plans: readonly Plan<Kind>[]): Matcher<Kind> {
  const ordered = plans.toSorted(byPriority)
  const roots = new Map<string, Branch<Kind>>()
  for (const [rank, plan] of ordered.entries())
    if (plan.enabled && plan.trigger.type !== 'cron')
      for (const route of plan.routes) {
        const root = roots.get(route.method) ?? toBranch<Kind>()
        roots.set(route.method, root)
        addRoute(root, { rank, plan, route })
      }

  return {
    mayMatch(method, firstSegment) {
      const root = roots.get(method)
      if (!root) return false
      if (root.parameter) return true
      return root.literals.size > 0 && root.literals.has(toSegment(firstSegment))
    },
    match(request) {
      const root = roots.get(request.method)
      if (!root) return undefined
      const segments = segmentsOf(request.url)
      const found: Entry<Kind>[] = []
      collect(root, segments, 0, found)
      if (found.length > 1) found.sort((a, b) => a.rank - b.rank)
      for (const { plan, route } of found) {
        const match = toMatch(plan, route, segments)
        const decision = decideTrigger(plan, route, match.indices, request)
        if (decision === 'needsBody') return 'needsBody'
        if (decision === true) return match
      }
      return undefined
    },
    explain: (request) => explainMatch(ordered, segmentsOf(request.url), request),
  }
}

/** Highest priority first, ties by id. */
const byPriority = (a: Plan, b: Plan) =>
  b.priority - a.priority ||
  (a.pipelineId < b.pipelineId ? -1 : Number(a.pipelineId > b.pipelineId))

const toBranch = <Kind extends StageKind>(): Branch<Kind> => ({ literals: new Map(), entries: [] })

function addRoute<Kind extends StageKind>(root: Branch<Kind>, entry: Entry<Kind>) {
  let branch = root
  for (const segment of entry.route.segments)
    if (typeof segment === 'string') {
      const next = branch.literals.get(segment) ?? toBranch<Kind>()
      branch.literals.set(segment, next)
      branch = next
    } else branch = branch.parameter ??= toBranch<Kind>()
  // Of two routes of one pipeline with one shape the first counts.
  if (!branch.entries.some(({ plan }) => plan === entry.plan)) branch.entries.push(entry)
}

function collect<Kind extends StageKind>(
  branch: Branch<Kind>,
  segments: readonly string[],
  depth: number,
  found: Entry<Kind>[],
) {
  const segment = segments[depth]
  if (segment === undefined) {
    found.push(...branch.entries)
    return
  }
  const literal = branch.literals.get(segment)
  if (literal) collect(literal, segments, depth + 1, found)
  if (branch.parameter && segment !== '') collect(branch.parameter, segments, depth + 1, found)
}

/** The segments of a path, decoded and with canonical names; a slash at the end counts for nothing. */
function segmentsOf(url: string): string[] {
  const path = pathOf(url)
  const end = path.length > 1 && path.endsWith('/') ? -1 : undefined
  return path.slice(1, end).split('/').map(toSegment)
}

function toSegment(raw: string): string {
  if (!raw.includes('%')) return raw.startsWith('_') ? canonicalName('segment', raw) : raw
  try {
    return decodeURIComponent(raw)
  } catch {
    // A path that is no valid escape text can only match literally.
    return raw
  }
}

function toMatch<Kind extends StageKind>(
  plan: Plan<Kind>,
  route: PlannedRoute,
  segments: readonly string[],
): RouteMatch<Kind> {
  const parameters: Record<string, string> = {}
  for (const [place, segment] of route.segments.entries())
    if (typeof segment !== 'string') parameters[segment.parameter] = segments[place] ?? ''
  return { plan, route, parameters, indices: indicesOf(route, segments) }
}
