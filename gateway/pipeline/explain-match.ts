import type { MatchCheck, MatchExplanation } from '../contract/explain.ts'
import { aboutMatch, notIndexing, outsideTimeframe, queriesOf } from './decide-trigger.ts'
import type { RouteMatch, ServedEnvs } from './match.ts'
import type { Plan } from './plan.ts'
import type { RequestFacts } from './request-facts.ts'
import { toMatch } from './route-match.ts'
import { byTemplate, fits, type RouteTemplate, templatesOf } from './route-templates.ts'
import { errorIn, explain } from './trigger/explain.ts'
import type { Mask } from './trigger/preview.ts'
import { print } from './trigger/print.ts'
import { requestScope } from './trigger/request-scope.ts'

/** Queries that are told of a body with very many, besides the one that decides. */
const MOST_EVALUATIONS = 50

/** What the explanation of a request rests on. */
export interface ExplainParts {
  /** A request as it came; its body must be known. */
  request: RequestFacts
  /** The path's segments, decoded. */
  segments: readonly string[]
  envs: ServedEnvs
  /** Hides secrets in the values that are told. */
  mask?: Mask
}

/** What was found out about one plan, before others are considered. */
type Finding = Pick<MatchExplanation, 'outcome' | 'reason' | 'checks' | 'route' | 'trigger'>

/** Explains all plans, in the order in which they are tried. */
export function explainMatch(
  plans: readonly { plan: Plan; isEnabled: boolean }[],
  parts: ExplainParts,
): MatchExplanation[] {
  const asked = plans.flatMap((one) => {
    const isPrefixed = templatesOf(one.plan).some(
      ({ isVersioned, segments }) => isVersioned && fits(segments, parts.segments),
    )
    if (isPrefixed) return { ...one, isPrefixed }
    return one.plan.isLive === false ? [] : { ...one, isPrefixed: false }
  })
  const ordered = [
    ...asked.filter(({ isPrefixed }) => isPrefixed),
    ...asked.filter(({ isPrefixed }) => !isPrefixed),
  ]
  let taken: string | undefined
  return ordered.map(({ plan, isEnabled }) => {
    const { pipelineId, file, version, priority } = plan
    const found = explainOne(plan, isEnabled, parts)
    const explained = {
      pipelineId,
      ...(file !== undefined && { file }),
      ...(version !== undefined && { version }),
      priority,
      ...found,
    }
    if (found.outcome !== 'taken') return explained
    if (taken === undefined) {
      taken = pipelineId
      return explained
    }
    const reason = `It would match, but "${taken}" is tried before it and takes the request`
    return { ...explained, outcome: 'later', reason }
  })
}

function explainOne(plan: Plan, isEnabled: boolean, parts: ExplainParts): Finding {
  const checks: MatchCheck[] = []
  const pass = (check: MatchCheck['check'], detail: string) =>
    void checks.push({ check, passed: true, detail })
  const fail = (
    outcome: MatchExplanation['outcome'],
    check: MatchCheck['check'],
    reason: string,
  ): Finding => ({
    outcome,
    reason,
    checks: [...checks, { check, passed: false, detail: reason }],
  })

  if (!isEnabled) return fail('disabled', 'enabled', 'It is disabled')
  pass('enabled', 'It is enabled')
  if (plan.trigger.type === 'cron')
    return fail('scheduled', 'kind', 'It runs on its schedule and never on a request')
  const onPath = templatesOf(plan)
    .filter(({ segments }) => fits(segments, parts.segments))
    .toSorted(byTemplate)
  const paths = plan.routes.map(({ path }) => path).join(', ')
  if (onPath.length === 0) return fail('path', 'path', `None of its routes fits the path: ${paths}`)
  pass('path', `The path fits ${onPath[0]?.route.path}`)
  const { method } = parts.request
  const findings = onPath
    .filter(({ route }) => route.method === method)
    .map((template) => explainTrigger(plan, template, parts))
  // As in the matcher: of several routes that fit, the first whose trigger agrees takes it.
  const found = findings.find(({ outcome }) => outcome === 'taken') ?? findings[0]
  if (!found)
    return fail(
      'method',
      'method',
      `Its route ${onPath[0]?.route.path} listens to ${onPath.map(({ route }) => route.method).join(', ')}, not to ${method}`,
    )
  pass('method', `The method is ${method}`)
  return { ...found, checks: [...checks, ...found.checks] }
}

function explainTrigger(plan: Plan, template: RouteTemplate, parts: ExplainParts): Finding {
  const { request, segments } = parts
  const match = toMatch(plan, template, segments, request.url)
  const { method, path } = template.route
  const route = { method, path }
  const { trigger } = plan
  const checks: MatchCheck[] = []
  const fail = (outcome: 'timeframe' | 'trigger', why: string, more = {}): Finding => ({
    outcome,
    reason: `It is passed over: ${why}`,
    checks: [...checks, { check: outcome, passed: false, detail: why }],
    route,
    ...more,
  })
  const early = outsideTimeframe(trigger, Date.now())
  if (early) return fail('timeframe', early)
  if (trigger.startTime !== undefined || trigger.endTime !== undefined)
    checks.push({ check: 'timeframe', passed: true, detail: 'Now lies in its timeframe' })
  const notIndex = notIndexing(trigger.type, match.route, request)
  if (notIndex) return fail('trigger', notIndex)
  const explained = explainExpression(match, parts)
  if (explained && !explained.holds)
    return fail('trigger', explained.why, { trigger: explained.trigger })
  checks.push({
    check: 'trigger',
    passed: true,
    detail: explained ? 'Its trigger is true' : 'It has no condition',
  })
  return {
    outcome: 'taken',
    reason: 'It takes the request',
    checks,
    route,
    ...(explained && { trigger: explained.trigger }),
  }
}

function explainExpression(match: RouteMatch, { request, envs, mask }: ExplainParts) {
  const { expression, needsBody } = match.plan.trigger
  if (!expression) return undefined
  const about = aboutMatch(match, request, envs)
  const evaluations = []
  let holds = false
  let failure: string | undefined
  for (const query of queriesOf(needsBody, request)) {
    const part = explain(expression, requestScope(about, query), mask)
    holds = part.value === 'true'
    if (holds || evaluations.length < MOST_EVALUATIONS) evaluations.push(part)
    if (holds) break
    failure = errorIn(part) ?? notBoolean(part.value) ?? failure
  }
  return {
    holds,
    why: failure ?? `its trigger "${expression.text}" is false`,
    trigger: { expression: expression.text, understoodAs: print(expression.root), evaluations },
  }
}

const notBoolean = (value: string | undefined) =>
  value === 'true' || value === 'false' ? undefined : 'The expression is neither true nor false'
