import type { MatchExplanation } from '../contract/explain.ts'
import { canonicalName } from './dialect.ts'
import { decideTrigger } from './decide-trigger.ts'
import { explainMatch } from './explain-match.ts'
import type { Plan, PlannedRoute } from './plan.ts'
import { pathOf, type RequestFacts } from './request-facts.ts'
import { toMatch } from './route-match.ts'
import { templatesOf } from './route-templates.ts'
import { addEntry, type Branch, createBranch, findEntries } from './route-tree.ts'
import type { StageKind } from './stage-kind.ts'
import type { Mask } from './trigger/preview.ts'

/** Global envs, overlaid with those of the selected environment. */
export type ServedEnvs = Readonly<Record<string, unknown>>

/** The pipeline that takes a request, and what its path says. */
export interface RouteMatch<Kind extends StageKind = StageKind> {
  readonly plan: Plan<Kind>
  readonly route: PlannedRoute
  /** Values of the template's parameters, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** Indices the path names, by `{index}` or before `/_declarative`. */
  readonly indices: readonly string[]
  /** Path and query as they came but for a version's prefix, which the run does not see. */
  readonly url: string
}

/** Finds the pipeline for a request. */
export interface Matcher<Kind extends StageKind = StageKind> {
  /**
   * Whether a pipeline could match at all: one look-up, so that pass-through pays no more.
   * `firstSegment` is as it came, without slashes or query.
   */
  mayMatch(method: string, firstSegment: string): boolean
  /** `needsBody`: a trigger cannot be decided before the body is known; read it and ask again. */
  match(request: RequestFacts, envs?: ServedEnvs): RouteMatch<Kind> | 'needsBody' | undefined
  /**
   * Every candidate with the reason why it took the request or did not, first tried first. Versions
   * that are not live are candidates only below their prefix. The body counts as empty when absent.
   */
  explain(request: RequestFacts, envs?: ServedEnvs, mask?: Mask): MatchExplanation[]
}

/**
 * Indexes the routes of all plans by method and segment. Plans that traffic cannot reach are left
 * out. Of several versions of one pipeline each answers below its `/v<N>/`, and the live one alone
 * at the plain path; it also says for all whether the pipeline is enabled.
 */
export function createMatcher<Kind extends StageKind>(plans: readonly Plan<Kind>[]): Matcher<Kind> {
  const ordered = plans.toSorted(byPriority)
  const roots = new Map<string, Branch<Kind>>()
  const isEnabled = enabledByLive(ordered)
  for (const [place, plan] of ordered.entries())
    if (isEnabled(plan) && plan.trigger.type !== 'cron')
      for (const template of templatesOf(plan)) {
        const { method } = template.route
        const root = roots.get(method) ?? createBranch<Kind>()
        roots.set(method, root)
        // Who asks for a version by its prefix gets it before whatever else the path may mean.
        const rank = template.isVersioned ? place - ordered.length : place
        addEntry(root, { ...template, rank, plan })
      }

  return {
    mayMatch(method, firstSegment) {
      const root = roots.get(method)
      if (!root) return false
      if (root.parameter) return true
      return root.literals.size > 0 && root.literals.has(toSegment(firstSegment))
    },
    match(request, envs = {}) {
      const root = roots.get(request.method)
      if (!root) return undefined
      const segments = segmentsOf(request.url)
      for (const entry of findEntries(root, segments)) {
        const match = toMatch(entry.plan, entry, segments, request.url)
        const decision = decideTrigger(match, request, envs)
        if (decision === 'needsBody') return 'needsBody'
        if (decision === true) return match
      }
      return undefined
    },
    explain: (request, envs = {}, mask) =>
      explainMatch(
        ordered.map((plan) => ({ plan, isEnabled: isEnabled(plan) })),
        {
          request: { ...request, body: request.body ?? '' },
          segments: segmentsOf(request.url),
          envs,
          ...(mask && { mask }),
        },
      ),
  }
}

/** The live version says whether a pipeline is enabled; without one each speaks for itself. */
function enabledByLive(plans: readonly Plan[]) {
  const live = new Map<string, boolean>()
  for (const { pipelineId, version, isLive = true, enabled } of plans)
    if (isLive && version !== undefined) live.set(pipelineId, enabled)
  return ({ pipelineId, version, enabled }: Plan) =>
    version === undefined ? enabled : (live.get(pipelineId) ?? enabled)
}

/** Highest priority first, ties by id, newest version first. */
const byPriority = (a: Plan, b: Plan) =>
  b.priority - a.priority ||
  (a.pipelineId < b.pipelineId ? -1 : Number(a.pipelineId > b.pipelineId)) ||
  (b.version ?? 0) - (a.version ?? 0)

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
