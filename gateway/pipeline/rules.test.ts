import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createMatcher } from './match.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { compilePlan, type Plan } from './plan.ts'
import type { RequestFacts } from './request-facts.ts'
import { scheduledMatch } from './scheduled-match.ts'

/*
 * Every rule of matching, triggers, expressions and versions as one line: what it says, the
 * pipelines, a request and who takes it. The numbers are those of the decisions they come from.
 */

const kinds = ['go', 'validateQuery'].map((use) => ({ use, summary: '-', inputs: z.object({}) }))
const NOW = '2026-06-01T12:00:00Z'
const NOW_SECONDS = Date.parse(NOW) / 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) })
})
afterEach(() => void vi.useRealTimers())

/** A pipeline in YAML flow text: `id` and a few keys; its route is `POST /{index}/x` by default. */
function plan(text: string): Plan {
  const route = text.includes('routes:') ? '' : "routes: [{path: '/{index}/x', method: POST}], "
  const stages = text.includes('stages:') ? '' : ', stages: [{use: go}]'
  const { definition, sources, diagnostics } = parsePipeline(
    { path: 'x.yaml', text: `{${route}${text}${stages}}` },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error(`${text}: ${diagnostics[0]?.message}`)
  return compilePlan({ definition, sources }, kinds)
}

/** `POST /m/x` and the queries of its body. */
function facts([line, body]: [line: string, body?: unknown]): RequestFacts {
  const [method = '', url = ''] = line.split(' ')
  return {
    method, url, headers: { host: 'shop.example', referer: 'https://a.example/page' },
    clientIp: '10.1.2.3', isTls: false, body: body === undefined ? '' : JSON.stringify(body),
  } // prettier-ignore
}

function taker(plans: readonly Plan[], request: RequestFacts) {
  const match = createMatcher(plans).match(request)
  if (typeof match !== 'object') return match
  return match.plan.version === undefined ? match.plan.pipelineId : `v${match.plan.version}`
}

const ask = (...values: unknown[]) => ({
  query: values.map((value) => ({ type: 'search', value })),
})
const term = (dataField: string, value: unknown) => ({
  query: [{ type: 'term', dataField, value }],
})
const trigger = (keys: string) => [`id: p, trigger: {${keys}}`]
const always = (expression: string) => trigger(`expression: ${JSON.stringify(expression)}`)
const query = (expression: string) =>
  trigger(`type: query, expression: ${JSON.stringify(expression)}`)
const index = (acl: string, more = '', category = 'docs') => [
  `id: p, routes: [{path: '/{index}/x', method: POST, classify: {category: ${category}, acl: ${acl}}}], trigger: {type: index${more}}`,
]
const frame = (bounds: string) => trigger(`timeframe: {${bounds}}`)

type Row = [
  rule: string,
  pipelines: string[],
  request: [line: string, body?: unknown],
  taker?: string,
]

const TRIGGERS: Row[] = [
  ['13 always, without an expression, is true', ['id: p'], ['POST /m/x'], 'p'],
  ['13 always: an expression that is there is evaluated, true', always('$path endsWith "x"'), ['POST /m/x'], 'p'],
  ['13 always: an expression that is there is evaluated, false', always('$path endsWith "y"'), ['POST /m/x']],
  ['13 query: the expression is asked of every query, the last one true', query('$query == "b"'), ['POST /m/x', ask('a', 'b')], 'p'],
  ['13 query: no query makes it true', query('$query == "c"'), ['POST /m/x', ask('a', 'b')]],
  ['13 query: $type is the type of the very query', query('$type == "search" and $query == "a"'), ['POST /m/x', ask('a')], 'p'],
  ['13 query: a body that is no declarative request has no query', query('$query == "a"'), ['POST /m/x', [1, 2]]],
  ['13 filter: values of term queries by field', trigger(`type: filter, expression: '$filter.brand == "LG"'`), ['POST /m/x', term('brand', ['lg'])], 'p'],
  ['13 filter: a dot in the name is written __', trigger(`type: filter, expression: '$filter.a__b == "x"'`), ['POST /m/x', term('a.b', 'x')], 'p'],
  ['13 filter: or in brackets', trigger(`type: filter, expression: '$filter["a.b"] == "x"'`), ['POST /m/x', term('a.b', 'x')], 'p'],
  ['13 index: index requests', index('index'), ['POST /m/x'], 'p'],
  ['13 index: create requests', index('create'), ['POST /m/x'], 'p'],
  ['13 index: update requests', index('update'), ['POST /m/x'], 'p'],
  ['13 index: update_by_query requests', index('update_by_query'), ['POST /m/x'], 'p'],
  ['13 index: bulk requests', index('bulk'), ['POST /m/x'], 'p'],
  ['13 index: delete requests', index('delete'), ['POST /m/x'], 'p'],
  ['13 index: delete_by_query requests', index('delete_by_query'), ['POST /m/x'], 'p'],
  ['13 index: no other requests on documents', index('get'), ['POST /m/x']],
  ['13 index: no requests of another category', index('bulk', '', 'search'), ['POST /m/x']],
  ['13 index: and the expression is true', index('bulk', `, expression: '$index == "m"'`), ['POST /m/x'], 'p'],
  ['13 index: not when the expression is false', index('bulk', `, expression: '$index == "n"'`), ['POST /m/x']],
  ['13 cron is never matched by traffic', trigger(`type: cron, expression: '* * * * *'`), ['POST /m/x']],
  ['13 timeframe: start is inclusive, unix seconds', frame(`start_time: ${NOW_SECONDS}`), ['POST /m/x'], 'p'],
  ['13 timeframe: not before the start', frame(`start_time: ${NOW_SECONDS + 1}`), ['POST /m/x']],
  ['13 timeframe: end is exclusive, unix seconds', frame(`end_time: ${NOW_SECONDS}`), ['POST /m/x']],
  ['13 timeframe: until the end', frame(`end_time: ${NOW_SECONDS + 1}`), ['POST /m/x'], 'p'],
  ['13 timeframe: ISO 8601 with a zone', frame(`start_time: '2026-06-01T14:00:00+02:00'`), ['POST /m/x'], 'p'],
  ['13 timeframe: ISO 8601 as the end', frame(`end_time: '${NOW}'`), ['POST /m/x']],
  ['13 timeframe: unix seconds as text', frame(`start_time: '${NOW_SECONDS}', end_time: '${NOW_SECONDS + 1}'`), ['POST /m/x'], 'p'],
  ['13 the timeframe and the expression must both agree', trigger(`timeframe: {start_time: 0}, expression: '$path == "/y"'`), ['POST /m/x']],
  ['13 an expression that fails does not match', always('envs.a.b == 1'), ['POST /m/x']],
  ['13 nor one whose value is neither true nor false', always('envs.path'), ['POST /m/x']],
] // prettier-ignore

const EXPRESSIONS: Row[] = [
  ['14 exactlyMatches', query('$query exactlyMatches "a b"'), ['POST /m/x', ask('A b')], 'p'],
  ['14 doesNotMatch', query('$query doesNotMatch "a b"'), ['POST /m/x', ask('A b')]],
  ['14 contains', query('$query contains "OTT"'), ['POST /m/x', ask('potter')], 'p'],
  ['14 doesNotContain', query('$query doesNotContain "OTT"'), ['POST /m/x', ask('potter')]],
  ['14 startsWith', query('$query startsWith "Pot"'), ['POST /m/x', ask('pOTTER')], 'p'],
  ['14 doesNotStartWith', query('$query doesNotStartWith "Pot"'), ['POST /m/x', ask('pOTTER')]],
  ['14 endsWith', query('$query endsWith "TER"'), ['POST /m/x', ask('potter')], 'p'],
  ['14 doesNotEndWith', query('$query doesNotEndWith "TER"'), ['POST /m/x', ask('potter')]],
  ['14 regularExpressionMatch', query('$query regularExpressionMatch "^P.*R$"'), ['POST /m/x', ask('potter')], 'p'],
  ['14 AND', query('$query contains "a" AND $query contains "b"'), ['POST /m/x', ask('a')]],
  ['14 OR', query('$query contains "a" OR $query contains "b"'), ['POST /m/x', ask('b')], 'p'],
  ['14 NOT', query('NOT $query contains "a"'), ['POST /m/x', ask('b')], 'p'],
  ['14 AND binds before OR', query('$query == "a" OR $query == "b" AND $query == "c"'), ['POST /m/x', ask('a')], 'p'],
  ['14 brackets bind first', query('($query == "a" OR $query == "b") AND $query == "c"'), ['POST /m/x', ask('a')]],
  ['14 both vocabularies in one expression', query('$query exactlyMatches "a" and len($index) > 0'), ['POST /m/x', ask('a')], 'p'],
  ['14 $index is a list of names and *', always('$index exactlyMatches "B" && $index == "*"'), ['POST /a,b/x'], 'p'],
  ['14 $index startsWith is asked of every name', always('$index startsWith "LOG-"'), ['POST /a,log-1/x'], 'p'],
  ['14 "a" in $index has no case', always('"A" in $index'), ['POST /a/x'], 'p'],
  ['14 $filter has no case', query('$filter.brand == "SONY"'), ['POST /m/x', term('brand', ['Sony', 'LG'])], 'p'],
  ['14 everything else is exact', always('$path == "/M/x"'), ['POST /m/x']],
  ['14 == and !=', always('$method == "POST" and $method != "GET"'), ['POST /m/x'], 'p'],
  ['14 < <= > >=', always('1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2'), ['POST /m/x'], 'p'],
  ['14 in and not in', always('$method in ["POST"] and $method not in ["GET"]'), ['POST /m/x'], 'p'],
  ['14 matches is exact', always('$method matches "^post$"'), ['POST /m/x']],
  ['14 and or not', always('not ($method == "GET") and (false or true)'), ['POST /m/x'], 'p'],
  ['14 && || !', always('!($method == "GET") && (false || true)'), ['POST /m/x'], 'p'],
  ['14 the ternary', always('$method == "POST" ? true : false'), ['POST /m/x'], 'p'],
  ['14 len()', always('len($index) == 2 and len("ab") == 2 and len({a: 1}) == 1'), ['POST /m/x'], 'p'],
  ['14 any() all() none()', always('any([1, 2], {# > 1}) and all([1], # == 1) and none([1], # > 1)'), ['POST /m/x'], 'p'],
  ['14 filter() map()', always('len(filter([1, 2], # > 1)) == 1 and map([{a: 1}], .a) == [1]'), ['POST /m/x'], 'p'],
  ['14 closures inside closures', always('any([[1], [2]], {any(#, {# == 2})})'), ['POST /m/x'], 'p'],
  ['14 literals', always(`"a\\n" == 'a\\n' and 1_000 == 1e3 and -1.5 < 0 and nil == null and true != false`), ['POST /m/x'], 'p'],
  ['14 members and indices', always('{a: [1, 2]}.a[1] == 2 and [1, 2][-1] == 2 and {"a b": 1}["a b"] == 1'), ['POST /m/x'], 'p'],
  ['14 ?. stops at nil', always('envs.nothing?.more == nil'), ['POST /m/x'], 'p'],
  ['14 $origin, $referer, $ipv4', always('$origin == "shop.example" and $referer endsWith "page" and $ipv4 == "10.1.2.3"'), ['POST /m/x'], 'p'],
  ['14 $category and $acl', index('bulk', `, expression: '$category == "docs" and $acl == "bulk"'`), ['POST /m/x'], 'p'],
  ['14 $customEvents', query('$customEvents.campaign == "spring"'), ['POST /m/x', { ...ask('a'), settings: { customEvents: { campaign: 'spring' } } }], 'p'],
] // prettier-ignore

const route = (path: string, method = 'POST') => `routes: [{path: '${path}', method: ${method}}]`
const [LOW, HIGH] = ['id: low', 'id: high, priority: 1']

const MATCHING: Row[] = [
  ['16 highest priority first', [LOW, HIGH], ['POST /m/x'], 'high'],
  ['16 ties by id', ['id: b', 'id: a'], ['POST /m/x'], 'a'],
  ['16 a negative priority comes after none', ['id: a, priority: -1', 'id: b'], ['POST /m/x'], 'b'],
  ['16 only enabled pipelines', [LOW, `${HIGH}, enabled: false`], ['POST /m/x'], 'low'],
  ['16 {index} is one segment, commas and wildcards included', ['id: p'], ['POST /a,b*/x'], 'p'],
  ['16 {index} is not two segments', ['id: p'], ['POST /a/b/x']],
  ['16 {index} is not an empty segment', ['id: p'], ['POST //x']],
  ['16 any other {name} is one segment', [`id: p, ${route('/{index}/_doc/{id}')}`], ['POST /a/_doc/1%2F2'], 'p'],
  ['16 a missing leading slash is tolerated', [`id: p, ${route('a/x')}`], ['POST /a/x'], 'p'],
  ['16 the query does not count', ['id: p'], ['POST /m/x?routing=1'], 'p'],
  ['16 every route counts', [`id: p, routes: [{path: /a, method: GET}, {path: /b, method: POST}]`], ['POST /b'], 'p'],
  ['16 the method must be the route’s', ['id: p'], ['GET /m/x']],
  ['16 a timeframe that is over falls through', [LOW, `${HIGH}, trigger: {timeframe: {end_time: 1}}`], ['POST /m/x'], 'low'],
  ['16 a false trigger falls through', [LOW, `${HIGH}, trigger: {expression: 'false'}`], ['POST /m/x'], 'low'],
  ['16 a trigger that fails falls through', [LOW, `${HIGH}, trigger: {expression: 'envs.a.b == 1'}`], ['POST /m/x'], 'low'],
  ['16 and at last to the built-in route', [`${LOW}, trigger: {expression: 'false'}`], ['POST /m/x']],
  ['1 names of the reference product', [`id: p, ${route('/{index}/_reactivesearch')}`], ['POST /m/_declarative'], 'p'],
  ['1 and their third version', [`id: p, ${route('/{index}/_declarative')}`], ['POST /m/_reactivesearch.v3'], 'p'],
  ['20 <path>/validate with validateQuery', ['id: p, stages: [{use: validateQuery}]'], ['POST /m/x/validate'], 'p'],
  ['20 not without it', ['id: p'], ['POST /m/x/validate']],
  ['20 nor when it is disabled', ['id: p, stages: [{use: go}, {use: validateQuery, enabled: false}]'], ['POST /m/x/validate']],
] // prettier-ignore

test.each([...TRIGGERS, ...EXPRESSIONS, ...MATCHING])(
  '%s',
  (_rule, pipelines, request, expected) => {
    expect(taker(pipelines.map(plan), facts(request))).toBe(expected)
  },
)

/** Versions of one pipeline, by their texts; the one that is live is told. */
const versions = (live: number, ...texts: string[]) =>
  texts.map((text, at) => ({ ...plan(text), version: at + 1, isLive: at + 1 === live }))

test.each<[rule: string, plans: Plan[], line: string, taker?: string]>([
  ['20 the live version answers at the plain path', versions(1, 'id: p', 'id: p'), 'POST /m/x', 'v1'],
  ['20 each version answers below its prefix', versions(1, 'id: p', 'id: p'), 'POST /v2/m/x', 'v2'],
  ['20 the live one too', versions(1, 'id: p', 'id: p'), 'POST /v1/m/x', 'v1'],
  ['20 a version that is not there does not', versions(1, 'id: p', 'id: p'), 'POST /v3/m/x'],
  ['20 only the live one answers at the plain path', versions(2, 'id: p', `id: p, ${route('/y')}`), 'POST /m/x'],
  ['20 enabled of the live version counts for all', versions(1, 'id: p, enabled: false', 'id: p'), 'POST /v2/m/x'],
  ['20 and that of the others does not', versions(1, 'id: p', 'id: p, enabled: false'), 'POST /v2/m/x', 'v2'],
  ['20 triggers see the path without the prefix', versions(1, 'id: p', `id: p, trigger: {expression: '$path == "/m/x"'}`), 'POST /v2/m/x', 'v2'],
  ['20 a prefix comes before any other meaning', [plan(`id: a, priority: 9, ${route('/{a}/{b}/{c}')}`), ...versions(1, 'id: p')], 'POST /v1/m/x', 'v1'],
  ['20 and its trigger falls through like any', [plan(`id: a, ${route('/{a}/{b}/{c}')}`), ...versions(1, `id: p, trigger: {expression: 'false'}`)], 'POST /v1/m/x', 'a'],
  ['20 validate below a prefix', versions(1, 'id: p, stages: [{use: validateQuery}]'), 'POST /v1/m/x/validate', 'v1'],
])('%s', (_rule, plans, line, expected) => {
  expect(taker(plans, facts([line]))).toBe(expected)
}) // prettier-ignore

test('13 cron: the synthetic request has method and path of the first route', () => {
  const text = `id: p, routes: [{path: /report, method: PUT}, {path: /other, method: GET}], trigger: {type: cron, expression: '@daily'}`
  const { match, request } = scheduledMatch(plan(text), Date.parse(NOW))
  expect(request.headers).toEqual({
    host: 'localhost',
    'x-sluice-tick': '2026-06-01T12:00:00.000Z',
  })
  expect([request.method, request.url, match.route.path, match.parameters]).toEqual([
    'PUT', '/report', '/report', {},
  ]) // prettier-ignore
})

test.each([
  [
    '13 the reason of a failure is in the explanation',
    always('envs.a.b == 1'),
    '"b" cannot be read',
  ],
  ['16 and so is that of every other decision', frame('end_time: 1'), 'its timeframe is over'],
])('%s', (_rule, pipelines, reason) => {
  const [explained] = createMatcher(pipelines.map(plan)).explain(facts(['POST /m/x']))
  expect([explained?.outcome !== 'taken', explained?.reason]).toEqual([
    true,
    expect.stringContaining(reason),
  ])
})
