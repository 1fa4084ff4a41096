import { expect, test } from 'vitest'
import { z } from 'zod'
import { createMatcher } from './match.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { compilePlan } from './plan.ts'
import type { RequestFacts } from './request-facts.ts'
import type { StageKind } from './stage-kind.ts'

const kinds: StageKind[] = ['go', 'validateQuery'].map((use) => ({
  use,
  summary: '-',
  inputs: z.object({}),
}))

/** A pipeline of one route: `POST /a/{index}` and more keys. */
function plan(id: string, route: string, keys: Record<string, unknown> = {}) {
  const [method, path] = route.split(' ')
  const { classify, ...rest } = keys
  const text = JSON.stringify({
    id,
    routes: [{ method, path, classify }],
    stages: [{ use: 'go' }],
    ...rest,
  })
  const { definition, sources, diagnostics } = parsePipeline(
    { path: `${id}.json`, text },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error(diagnostics[0]?.message)
  return compilePlan({ definition, sources }, kinds)
}

const ask = (line: string, more: Partial<RequestFacts> = {}): RequestFacts => {
  const [method = '', url = ''] = line.split(' ')
  return { method, url, headers: {}, clientIp: '127.0.0.1', isTls: false, ...more }
}
/** The id of the pipeline that takes the request. */
const taker = (plans: ReturnType<typeof plan>[], request: RequestFacts) => {
  const match = createMatcher(plans).match(request)
  return typeof match === 'object' ? match.plan.pipelineId : match
}
const body = (...values: unknown[]) => ({
  body: JSON.stringify({ query: values.map((value) => ({ type: 'search', value })) }),
})

test.each([
  ['POST /movies/_declarative', 'POST /movies/_declarative', true],
  ['POST /movies/_declarative', 'POST /movies/_declarative?preference=x', true],
  ['POST /movies/_declarative', 'POST /movies/_declarative/', true],
  ['POST /movies/_declarative', 'GET /movies/_declarative', false],
  ['POST /movies/_declarative', 'POST /movies', false],
  ['POST /movies/_declarative', 'POST /movies/_declarative/validate', false],
  ['POST /movies/_declarative', 'POST /movies/_reactivesearch', true],
  ['POST /movies/_declarative', 'POST /movies/_reactivesearch.v3', true],
  ['POST movies/_reactivesearch', 'POST /movies/_declarative', true],
  ['POST /{index}/_search', 'POST /a,b*/_search', true],
  ['POST /{index}/_search', 'POST //_search', false],
  ['POST /{index}/_search', 'POST /a/b/_search', false],
  ['POST /m%20x', 'POST /m%20x', false],
  ['POST /mx', 'POST /m%78', true],
  ['POST /mx', 'POST /m%zz', false],
])('the route %s and the request %s: %s', (route, request, expected) => {
  expect(taker([plan('p', route)], ask(request))).toBe(expected ? 'p' : undefined)
})

test('parameters are decoded, and the index is the parameter or what stands before /_declarative', () => {
  const matches = [
    createMatcher([plan('p', 'GET /{index}/x/{what}')]).match(ask('GET /a,b/x/c%20d')),
    createMatcher([plan('p', 'GET /shop/movies/_declarative')]).match(
      ask('GET /shop/movies/_declarative'),
    ),
  ]
  expect(
    matches.map((match) => typeof match === 'object' && [match.parameters, match.indices]),
  ).toEqual([
    [{ index: 'a,b', what: 'c d' }, ['a', 'b']],
    [{}, ['movies']],
  ])
})

test('the highest priority is tried first, ties by id, and disabled ones never', () => {
  const plans = [
    plan('b', 'GET /x'),
    plan('a', 'GET /{any}'),
    plan('high', 'GET /x', { priority: 5 }),
    plan('off', 'GET /x', { priority: 9, enabled: false }),
  ]
  expect(taker(plans, ask('GET /x'))).toBe('high')
  expect(taker(plans.slice(0, 2), ask('GET /x'))).toBe('a')
})

test('a false trigger falls through to the next pipeline, and at last to none', () => {
  const trigger = { expression: '$path endsWith "nothing"' }
  const guarded = plan('first', 'GET /x', { priority: 1, trigger })
  expect(taker([guarded, plan('second', 'GET /x')], ask('GET /x'))).toBe('second')
  expect(taker([guarded], ask('GET /x'))).toBeUndefined()
})

test('a trigger that asks for the query waits for the body, and one matching query is enough', () => {
  const trigger = { type: 'query', expression: '$query exactlyMatches "harry"' }
  const plans = [plan('p', 'POST /x', { trigger })]
  expect([
    taker(plans, ask('POST /x')),
    taker(plans, ask('POST /x', body('ron', 'Harry'))),
    taker(plans, ask('POST /x', body('ron'))),
    taker(plans, ask('POST /x', { body: 'no json' })),
  ]).toEqual(['needsBody', 'p', undefined, undefined])
})

test('filters can be asked for by field', () => {
  const trigger = { type: 'filter', expression: '$filter.brand__keyword exactlyMatches "sony"' }
  const query = [{ type: 'term', dataField: ['brand.keyword'], value: ['Sony'] }]
  const plans = [plan('p', 'POST /x', { trigger })]
  expect(taker(plans, ask('POST /x', { body: JSON.stringify({ query }) }))).toBe('p')
})

test.each([
  ['docs', 'bulk', undefined, 'p'],
  ['docs', 'get', undefined, undefined],
  ['search', 'bulk', undefined, undefined],
  ['docs', 'index', '$index exactlyMatches "x"', 'p'],
  ['docs', 'index', '$index exactlyMatches "y"', undefined],
])('an index trigger on %s/%s with %s', (category, acl, expression, expected) => {
  const plans = [
    plan('p', 'POST /{index}', {
      classify: { category, acl },
      trigger: { type: 'index', expression },
    }),
  ]
  expect(taker(plans, ask('POST /x'))).toBe(expected)
})

test.each([
  [{ start_time: 0, end_time: 1 }, undefined],
  [{ start_time: 4_102_444_800 }, undefined],
  [{ start_time: '2020-01-01T00:00:00Z', end_time: '2100-01-01T00:00:00Z' }, 'p'],
  [{ start_time: 1_577_836_800 }, 'p'],
])('the timeframe %j', (timeframe, expected) => {
  expect(taker([plan('p', 'GET /x', { trigger: { timeframe } })], ask('GET /x'))).toBe(expected)
})

test('a scheduled pipeline is never matched by a request', () => {
  const trigger = { type: 'cron', expression: '0 3 * * *' }
  expect(taker([plan('p', 'GET /x', { trigger })], ask('GET /x'))).toBeUndefined()
})

test('the check before matching knows method and first segment, aliases and escapes included', () => {
  const matcher = createMatcher([plan('p', 'POST /movies/_search'), plan('q', 'GET /{index}')])
  expect([
    matcher.mayMatch('POST', 'movies'),
    matcher.mayMatch('POST', 'mov%69es'),
    matcher.mayMatch('POST', 'books'),
    matcher.mayMatch('PUT', 'movies'),
    matcher.mayMatch('GET', 'anything'),
  ]).toEqual([true, true, false, false, true])
})

test('matching does not visit pipelines whose first segment is another', () => {
  const reads: string[] = []
  const others = Array.from({ length: 500 }, (_, at) => {
    const real = plan(`p${at}`, `GET /other${at}/{x}`)
    const trigger = { ...real.trigger }
    return Object.defineProperty({ ...real }, 'trigger', {
      get: () => {
        reads.push(real.pipelineId)
        return trigger
      },
    })
  })
  const matcher = createMatcher([...others, plan('mine', 'GET /mine/{x}')])
  reads.length = 0
  const match = matcher.match(ask('GET /mine/1'))
  expect([typeof match === 'object' && match.plan.pipelineId, reads]).toEqual(['mine', []])
})

/** Three versions of one pipeline, the second one live. */
const versions = (keys: Record<string, unknown>[] = [{}, {}, {}]) =>
  keys.map((one, at) => ({
    ...plan('p', 'GET /{index}/x', one),
    version: at + 1,
    isLive: at === 1,
  }))

test.each([
  ['GET /m/x', 2],
  ['GET /v1/m/x', 1],
  ['GET /v2/m/x?q=1', 2],
  ['GET /v3/m/x', 3],
  ['GET /v4/m/x', undefined],
  ['GET /v3/x', 2],
])('of several versions %s asks for %s', (line, version) => {
  const matcher = createMatcher(versions())
  const match = matcher.match(ask(line))
  expect(typeof match === 'object' ? match.plan.version : match).toBe(version)
  expect(matcher.mayMatch('GET', 'v3')).toBe(true)
})

test('below its prefix a version sees what it would see were it live', () => {
  const trigger = { expression: '$path == "/m/x" and context.request.url endsWith "/m/x?q=1"' }
  const match = createMatcher(versions([{ trigger }, {}])).match(
    ask('GET /v1/m/x?q=1', { body: '' }),
  )
  expect(typeof match === 'object' && [match.url, match.indices, match.parameters]).toEqual([
    '/m/x?q=1',
    ['m'],
    { index: 'm' },
  ])
})

test('the live version says for all whether the pipeline is enabled', () => {
  const off = createMatcher(versions([{}, { enabled: false }, {}]))
  const on = createMatcher(versions([{ enabled: false }, {}, {}]))
  expect([off.match(ask('GET /v1/m/x')), typeof on.match(ask('GET /v1/m/x'))]).toEqual([
    undefined,
    'object',
  ])
})

test('who asks for a version gets it before a pipeline that takes any path', () => {
  const plans = [plan('any', 'GET /{a}/{b}/{c}', { priority: 9 }), ...versions()]
  expect([taker(plans, ask('GET /v1/m/x')), taker(plans, ask('GET /v9/m/x'))]).toEqual(['p', 'any'])
})

test('a version of the root path answers below its prefix alone', () => {
  const root = { ...plan('p', 'GET /'), version: 1, isLive: false }
  const match = createMatcher([root]).match(ask('GET /v1?a=b'))
  expect([typeof match === 'object' && match.url, taker([root], ask('GET /'))]).toEqual([
    '/?a=b',
    undefined,
  ])
})

test('a version that is not live is explained only to who asks for it', () => {
  const explained = ['GET /m/x', 'GET /v3/m/x'].map((line) =>
    createMatcher(versions())
      .explain(ask(line))
      .map(({ version, outcome }) => [version, outcome]),
  )
  expect(explained).toEqual([
    [[2, 'taken']],
    [
      [3, 'taken'],
      [2, 'path'],
    ],
  ])
})

test('a path with /validate behind it belongs to pipelines that validate', () => {
  const stages = [{ use: 'validateQuery' }, { use: 'go' }]
  const plans = [plan('p', 'GET /{index}/x'), plan('v', 'GET /{index}/x', { stages })]
  const both = plans.map((one) => ({ ...one, version: 1 }))
  expect([
    taker(plans, ask('GET /m/x/validate')),
    taker(plans, ask('GET /m/x')),
    taker(both, ask('GET /v1/m/x/validate')),
    taker(plans.slice(0, 1), ask('GET /m/x/validate')),
  ]).toEqual(['v', 'p', 'v', undefined])
})

test('envs of the environment can be asked for, with the rank they have in a run', () => {
  const trigger = { expression: 'envs.STAGE == "test" and envs.method == "GET" and envs.own == 1' }
  const matcher = createMatcher([plan('p', 'GET /x', { trigger, envs: { own: 1 } })])
  const match = matcher.match(ask('GET /x', { body: '' }), { STAGE: 'test', method: 'no', own: 2 })
  expect(typeof match).toBe('object')
})

test('the decision is explained for every pipeline', () => {
  const plans = [
    plan('taken', 'GET /{index}'),
    plan('later', 'GET /x', { priority: -1 }),
    plan('method', 'PUT /x', { priority: 8 }),
    plan('path', 'GET /y', { priority: 7 }),
    plan('off', 'GET /x', { priority: 6, enabled: false }),
    plan('false', 'GET /{index}', {
      priority: 5,
      trigger: { expression: '$index exactlyMatches "z"' },
    }),
    plan('broken', 'GET /x', { priority: 4, trigger: { expression: 'envs.a.b == 1' } }),
  ]
  const explained = createMatcher(plans).explain(ask('GET /x'))
  expect(explained.map(({ pipelineId, outcome, reason }) => [pipelineId, outcome, reason])).toEqual(
    [
      ['method', 'method', 'Its route /x listens to PUT, not to GET'],
      ['path', 'path', 'None of its routes fits the path: /y'],
      ['off', 'disabled', 'It is disabled'],
      ['false', 'trigger', 'It is passed over: its trigger "$index exactlyMatches "z"" is false'],
      [
        'broken',
        'trigger',
        'It is passed over: "b" cannot be read, because what stands before it is nil',
      ],
      ['taken', 'taken', 'It takes the request'],
      ['later', 'later', 'It would match, but "taken" is tried before it and takes the request'],
    ],
  )
  expect(explained.find(({ pipelineId }) => pipelineId === 'false')?.trigger).toMatchObject({
    understoodAs: '$index == "z"',
    evaluations: [{ value: 'false', parts: [{ text: '$index', value: '["x","*"]' }] }],
  })
})
