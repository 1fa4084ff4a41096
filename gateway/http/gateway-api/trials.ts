import { randomUUID } from 'node:crypto'
import type { BackgroundTrial, Trial, TrialRequest } from '../../contract/gateway-api/validate.ts'
import { errors } from '../../errors.ts'
import { createMatcher } from '../../pipeline/match.ts'
import type { Plan } from '../../pipeline/plan.ts'
import type { RequestFacts } from '../../pipeline/request-facts.ts'
import type { RunGate } from '../../runtime/run-gate.ts'
import { executeRun } from '../../runtime/run.ts'
import type { RunLimits, RunServices } from '../../runtime/run-request.ts'
import type { ScriptProgram } from '../../scripting/sandbox.ts'
import type { StageDefinition } from '../../stages/define.ts'
import { type Mask, maskAll } from '../../trace/masking.ts'
import { type ObservedTrial, observeTrial } from './observe-trial.ts'

interface Parts {
  runServices: RunServices
  gate: RunGate
  limits(): RunLimits
  /** Compiles the scripts of a plan that is not served; to be disposed of. */
  loadScripts(plan: Plan<StageDefinition>): ScriptProgram | undefined
}

/** What is tried, and with what. */
export interface TrialOrder {
  plan: Plan<StageDefinition>
  request: TrialRequest
  /** Global envs, overlaid with those of the selected environment. */
  envs: Readonly<Record<string, unknown>>
  mask: Mask
  verbose: boolean
  signal: AbortSignal
}

/** Runs pipelines that are not saved. */
export interface Trials {
  /** `failure` is the status of what the run failed with. */
  run(order: TrialOrder): Promise<{ trial: Trial; failure?: number }>
  /** What became of the stages in the background, for 30 minutes. */
  background(id: string): BackgroundTrial | undefined
}

const KEPT_MS = 30 * 60_000
/** Reports kept at once; the oldest goes first. */
const MOST_KEPT = 200

/** Trials of pipelines (domain, section 3.4). They count as runs and obey all limits of runs. */
export function createTrials({ runServices, gate, limits, loadScripts }: Parts): Trials {
  const kept = new Map<string, () => BackgroundTrial>()

  /** Keeps reporting on a trial whose answer is given. */
  function keep(observed: ObservedTrial, start: number, background: Promise<void>): string {
    const id = randomUUID()
    let end: number | undefined
    void background.then(() => (end = performance.now()))
    kept.set(id, () => ({
      id,
      done: end !== undefined,
      ...observed.look(),
      took: Math.round((end ?? performance.now()) - start),
    }))
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    setTimeout(() => kept.delete(id), KEPT_MS).unref()
    return id
  }

  return {
    async run({ plan: saved, request, envs, mask, verbose, signal }) {
      const plan = toTrialPlan(saved, request.envs)
      const facts = toFacts(request, plan)
      const match = createMatcher([plan]).match(facts)
      if (match === undefined || match === 'needsBody') throw noRoute(facts, plan)
      if (!(await gate.enter(facts.body?.length ?? 0, signal))) throw signal.reason
      const start = performance.now()
      const observed = observeTrial({ verbose, mask })
      const program = loadScripts(plan)
      let background: Promise<void> | undefined
      try {
        const result = await executeRun({
          runId: randomUUID(),
          match,
          request: facts,
          ...(program && { program }),
          services: runServices,
          envs,
          observers: [observed.observer],
          signal,
          limits: limits(),
        })
        background = result.background
        const isPending = background !== undefined && (await isStillPending(background))
        const context = observed.context()
        const trial = maskAll(
          {
            request: context?.request ?? { method: '', url: '', headers: {}, body: '' },
            response: result.response,
            envs: context?.envs ?? {},
          },
          mask,
        )
        return {
          trial: {
            ...trial,
            ...observed.take(),
            took: Math.round(performance.now() - start),
            ...(isPending && background && { id: keep(observed, start, background) }),
          },
          ...(result.error && { failure: result.error.status }),
        }
      } finally {
        gate.leave(background)
        if (background) void background.then(() => program?.dispose())
        else program?.dispose()
      }
    },
    background: (id) => kept.get(id)?.(),
  }
}

/** Taken whatever its trigger says; a route without a category counts as declarative, as documented. */
function toTrialPlan(
  plan: Plan<StageDefinition>,
  envs: TrialRequest['envs'],
): Plan<StageDefinition> {
  const { version: _version, isLive: _isLive, ...unversioned } = plan
  const [first] = plan.routes
  const category = first?.category ?? 'declarative'
  return {
    ...unversioned,
    enabled: true,
    trigger: { type: 'always', needsBody: false },
    routes: plan.routes.map((route) => ({ ...route, category: route.category ?? category })),
    envs: { ...plan.envs, ...envs },
  }
}

function toFacts(request: TrialRequest, { routes }: Plan<StageDefinition>): RequestFacts {
  const route = routes.find(({ method }) => method === request.method) ?? routes[0]
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ])
  const { body = '' } = request
  return {
    method: request.method ?? route?.method ?? 'GET',
    // Nothing says which index is meant, and all are what a search without one means.
    url: toPath(request.url) ?? (route?.path ?? '/').replaceAll(/\{[^}]+\}/g, '_all'),
    headers: { host: 'localhost', ...Object.fromEntries(headers) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    clientIp: '127.0.0.1',
    isTls: false,
  }
}

/** `http://host/a?b` and `/a?b` are `/a?b`. */
function toPath(url: string | undefined) {
  if (url === undefined || url === '') return undefined
  const { pathname, search } = URL.parse(url) ?? {}
  if (pathname !== undefined && /^https?:/i.test(url)) return pathname + (search ?? '')
  return url.startsWith('/') ? url : `/${url}`
}

const noRoute = ({ method, url }: RequestFacts, { routes }: Plan<StageDefinition>) =>
  errors.requestInvalid(
    `The pipeline has no route for ${method} ${url}; it listens on ` +
      routes.map((route) => `${route.method} ${route.path}`).join(', '),
  )

/** Whether a promise that is never rejected has not settled yet. */
const isStillPending = (work: Promise<void>) =>
  Promise.race([
    work.then(() => false),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(true))),
  ])
