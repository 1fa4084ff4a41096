import { expect, test } from 'vitest'
import { z } from 'zod'
import { compileTrigger } from './compile-trigger.ts'
import { createMatcher } from './match.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { compilePlan, type Plan } from './plan.ts'
import type { RequestFacts } from './request-facts.ts'
import { holds } from './trigger/evaluate.ts'

/** Pseudo-random numbers below a bound, the same ones in every run; mulberry32. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const kinds = ['go', 'validateQuery'].map((use) => ({ use, summary: '-', inputs: z.object({}) }))

/** A compiled pipeline with these stages; its routes and the rest are replaced by the tests. */
function compiled(uses: readonly string[]) {
  const text = JSON.stringify({
    routes: [{ path: '/', method: 'GET' }],
    stages: uses.map((use) => ({ use })),
  })
  const { definition, sources } = parsePipeline(
    { path: 'x.json', text },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error('The base pipeline does not compile')
  return compilePlan({ definition, sources }, kinds)
}
const PLAIN = compiled(['go'])
const VALIDATING = compiled(['go', 'validateQuery'])

const toRoute = (method: string, path: string) => ({
  method,
  path,
  segments: path
    .slice(1)
    .split('/')
    .map((one) => (one.startsWith('{') ? { parameter: one.slice(1, -1) } : one)),
  recordLogs: false,
})

const WORDS = ['a', 'b', 'movies', 'v2', 'validate', '_search', '{index}', '{x}', '{y}']
const TRIGGERS = [
  '',
  '',
  '',
  '$path endsWith "b"',
  '$index exactlyMatches "MOVIES"',
  'envs.a.b == 1',
]

/** Pipelines whose few words make them get in each other's way; some in several versions. */
function makePlans(
  count: number,
  random: ReturnType<typeof createRandom>,
): Plan<(typeof kinds)[0]>[] {
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
  const path = () => {
    const words = new Set(Array.from({ length: 1 + random(4) }, () => pick(WORDS)))
    return `/${[...words].join('/')}`
  }
  return Array.from({ length: count }, (_, at) => {
    const expression = pick(TRIGGERS)
    const plan = {
      ...(random(8) === 0 ? VALIDATING : PLAIN),
      pipelineId: `p${at}`,
      enabled: random(10) > 0,
      priority: random(5),
      routes: Array.from({ length: 1 + random(3) }, () => toRoute(pick(['GET', 'POST']), path())),
      trigger: compileTrigger(
        random(20) === 0 ? { type: 'cron', expression: '0 3 * * *' } : { expression },
      ),
    }
    if (random(5) > 0) return [plan]
    return [1, 2].map((version) => ({
      ...plan,
      version,
      isLive: version === 2,
      routes: [toRoute('GET', path())],
    }))
  }).flat()
}

/** The same decision, made in the plainest way: every pipeline, every route, one after the other. */
function naiveMatch(plans: readonly Plan[], method: string, path: string) {
  const live = new Map(plans.filter(({ isLive }) => isLive).map((plan) => [plan.pipelineId, plan]))
  const ordered = plans.toSorted(
    (a, b) => b.priority - a.priority || (a.pipelineId < b.pipelineId ? -1 : 1),
  )
  const prefix = /^\/v(\d+)(\/.*)$/.exec(path)
  const versioned = ordered.filter(({ version }) => version === Number(prefix?.[1]))
  for (const [candidates, seen] of [
    [versioned, prefix?.[2] ?? ''],
    [ordered.filter(({ isLive = true }) => isLive), path],
  ] as const)
    for (const plan of candidates) {
      if (plan.trigger.type === 'cron') continue
      if (!(plan.version === undefined ? plan : (live.get(plan.pipelineId) ?? plan)).enabled)
        continue
      for (const route of plan.routes) {
        if (route.method !== method) continue
        const suffix = plan.stages.some(({ use }) => use === 'validateQuery')
          ? '(?:/validate)?'
          : ''
        const shape = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
        const groups = new RegExp(`^${shape}${suffix}$`).exec(seen)
        if (!groups) continue
        const indices = groups.groups?.['index']?.split(',') ?? []
        const values: Record<string, unknown> = {
          $path: seen, $index: [...indices, '*'], envs: {},
        } // prettier-ignore
        const { expression } = plan.trigger
        try {
          if (!expression || holds(expression, (name) => values[name]))
            return [plan.pipelineId, plan.version]
        } catch {
          // An expression that fails does not match.
        }
      }
    }
  return undefined
}

const facts = (method: string, url: string): RequestFacts => ({
  method, url, headers: {}, clientIp: '127.0.0.1', isTls: false, body: '',
}) // prettier-ignore

function makeRequest(random: ReturnType<typeof createRandom>): [method: string, path: string] {
  const words = ['a', 'b', 'movies', 'Movies,b', 'v1', 'v2', 'v3', 'validate', '_search']
  const path = Array.from({ length: 1 + random(5) }, () => words[random(words.length)]).join('/')
  return [random(2) === 0 ? 'GET' : 'POST', `/${path}`]
}

/** Who the matcher lets take the request, which its own explanation must name, too. */
function decided(matcher: ReturnType<typeof createMatcher>, method: string, path: string) {
  const match = matcher.match(facts(method, path))
  expect(match).not.toBe('needsBody')
  return typeof match === 'object' ? [match.plan.pipelineId, match.plan.version] : undefined
}

test('the tree decides as looking at every pipeline would, and the explanation agrees', () => {
  const random = createRandom(7)
  for (let set = 0; set < 150; set++) {
    const plans = makePlans(1 + random(12), random)
    const matcher = createMatcher(plans)
    for (let round = 0; round < 30; round++) {
      const [method, path] = makeRequest(random)
      const found = decided(matcher, method, path)
      expect(found, `${set}: ${method} ${path}`).toEqual(naiveMatch(plans, method, path))
      if (found) expect(matcher.mayMatch(method, path.split('/')[1] ?? '')).toBe(true)
      const taken = matcher
        .explain(facts(method, path))
        .filter(({ outcome }) => outcome === 'taken')
      expect(taken.map(({ pipelineId, version }) => [pipelineId, version])).toEqual(
        found ? [found] : [],
      )
    }
  }
})

test('among 10,000 pipelines the same one is found as by looking at all of them', () => {
  const random = createRandom(11)
  const plans = makePlans(10_000, random)
  const matcher = createMatcher(plans)
  for (let round = 0; round < 40; round++) {
    const [method, path] = makeRequest(random)
    expect(decided(matcher, method, path), path).toEqual(naiveMatch(plans, method, path))
  }
})

test('10,000 pipelines of one path and many paths are indexed in no time worth naming', () => {
  const same = Array.from({ length: 10_000 }, (_, at) => ({
    ...PLAIN, pipelineId: `p${at}`, routes: [toRoute('GET', at % 2 ? '/x/{index}' : `/x/${at}`)],
  })) // prettier-ignore
  const start = performance.now()
  const matcher = createMatcher(same)
  expect(decided(matcher, 'GET', '/x/4000')).toEqual(['p1', undefined])
  expect(performance.now() - start).toBeLessThan(1_000)
})
