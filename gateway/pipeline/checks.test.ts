import { expect, test } from 'vitest'
import { z } from 'zod'
import { parsePipeline } from './parse-pipeline.ts'
import type { StageKind } from './stage-kind.ts'

const kind = (use: string, more?: Partial<StageKind>): StageKind => ({
  use,
  summary: '-',
  inputs: z.strictObject({ a: z.number().optional() }),
  ...more,
})
const stages = [
  kind('authorization', { position: 'guard' }),
  kind('declarativeQuery', { needsCategory: 'declarative' }),
  kind('recordAnalytics', { needsCategory: 'declarative' }),
  kind('searchEngineQuery', { mayBeAsync: true }),
  kind('customData', { inputs: z.strictObject({ data: z.string() }) }),
]
const R = 'routes:\n  - path: /a\n    method: GET\n'
const S = 'stages:\n  - use: authorization\n'
/** Everything that may be there, for rules about one more stage or key. */
const RS = R + S
const stage = (lines: string) => `${RS}  - ${lines.replaceAll('\n', '\n    ')}\n`

/** Rule, text, and what is found: code, line and column of its token. */
test.each<[string, string, string]>([
  // The text.
  ['bad YAML', `${RS}x: [1\n`, 'syntax 7:1'],
  ['a key twice', `${RS}routes: []\n`, 'syntax 6:1'],
  ['no map', '- a\n', 'not-a-map 1:1'],
  // Routes.
  ['no routes', S, 'missing-key 1:1'],
  ['an empty list of routes', `routes: []\n${S}`, 'too-few 1:1'],
  ['routes that are no list', `routes: {path: /a}\n${S}`, 'wrong-type 1:1'],
  ['a route without path', `routes:\n  - method: GET\n${S}`, 'missing-key 2:5'],
  ['a route without method', `routes:\n  - path: /a\n${S}`, 'missing-key 2:5'],
  ['a path without slash', RS.replace('/a', 'a'), 'route-slash 2:11'],
  ['a parameter that is no segment', RS.replace('/a', '/a{index}'), 'route-path 2:11'],
  ['a parameter twice', RS.replace('/a', '/{index}/{index}'), 'route-path 2:11'],
  ['a path that is walked too deep', RS.replace('/a', '/a'.repeat(101)), 'route-path 2:11'],
  ['a query in a path', RS.replace('/a', '/a?b'), 'route-path 2:11'],
  ['an empty segment', RS.replace('/a', '/a//b'), 'route-path 2:11'],
  ['a path of the pipeline API', RS.replace('/a', '/_pipelines'), 'route-path 2:11'],
  ['a path of the gateway', RS.replace('/a', '/_sluice/x'), 'route-path 2:11'],
  ['a path of the usage API', RS.replace('/a', '_analytics/pipelines'), 'route-path 2:11'],
  ['a route twice', `${R}  - {path: /a, method: GET}\n${S}`, 'duplicate-route 4:12'],
  ['a method that is none', RS.replace('GET', 'FETCH'), 'bad-value 3:13'],
  ['a category that is none', `${R}    classify: {category: films}\n${S}`, 'bad-value 4:26'],
  ['an acl that is none', `${R}    classify: {category: docs, acl: x}\n${S}`, 'bad-value 4:37'],
  ['classify without category', `${R}    classify: {acl: search}\n${S}`, 'missing-key 4:5'],
  [
    'classify indented wrongly',
    `${R}    classify:\n    category: docs\n${S}`,
    'classify-indent 4:5',
  ],
  [
    'the category of another product',
    `${R}    classify: {category: elasticsearch}\n${S}`,
    'unknown-category 4:26',
  ],
  // Stages.
  ['no stages', R, 'missing-key 1:1, open-route 1:1'],
  ['an empty list of stages', `${R}stages: []\n`, 'open-route 1:1, too-few 4:1'],
  ['a stage with nothing', `${RS}  - description: x\n`, 'stage-without-work 6:5'],
  ['a stage with an id only', stage('id: x'), 'stage-without-work 6:5'],
  ['a script without id', stage('script: "1"'), 'missing-key 6:5'],
  ['an id twice', stage('id: authorization\nscript: "1"'), 'duplicate-id 6:9'],
  ['a name twice', stage('use: authorization'), 'duplicate-id 6:10'],
  ['a stage that is none', stage('use: nothing'), 'unknown-use 6:10'],
  ['a stage of a later version', stage('use: useCache'), 'planned-use 6:10'],
  ['script and scriptRef', stage('id: x\nscript: "1"\nscriptRef: a.js'), 'script-and-ref 8:5'],
  ['use and script', stage('use: customData\nid: x\nscript: "1"'), 'use-and-script 6:5'],
  ['a script file that is not there', stage('id: x\nscriptRef: b.js'), 'script-not-found 7:16'],
  ['a script file that could be two', stage('id: x\nscriptRef: two.js'), 'script-ambiguous 7:16'],
  ['a flag that is none', stage('use: searchEngineQuery\nasync: maybe'), 'wrong-type 7:12'],
  [
    'async where it means nothing',
    stage('use: customData\ninputs: {data: x}\nasync: true'),
    'async-ignored 8:5',
  ],
  [
    'an id the context has',
    stage('id: response\nuse: searchEngineQuery\nasync: true'),
    'reserved-id 6:9',
  ],
  ['a category that is required', stage('use: declarativeQuery'), 'category-required 6:10'],
  ['the same for analytics', stage('use: recordAnalytics'), 'category-required 6:10'],
  ['an input that is missing', stage('use: customData'), 'missing-input 6:10'],
  ['an input of a wrong type', stage('use: searchEngineQuery\ninputs: {a: x}'), 'bad-input 7:17'],
  ['an input that is none', stage('use: searchEngineQuery\ninputs: {b: 1}'), 'unknown-input 7:14'],
  ['inputs that are no map', stage('use: searchEngineQuery\ninputs: 1'), 'wrong-type 7:13'],
  // Needs.
  ['a need that is no stage', stage('use: searchEngineQuery\nneeds: [x]'), 'unknown-need 7:13'],
  ['a need of itself', stage('id: x\nscript: "1"\nneeds: [x]'), 'needs-cycle 8:13'],
  [
    'needs in a circle',
    stage('{id: x, script: "1", needs: [y]}\n').trimEnd() +
      '\n  - {id: y, script: "1", needs: [x]}\n',
    'needs-cycle 6:34',
  ],
  ['needs that are no list', stage('use: searchEngineQuery\nneeds: x'), 'wrong-type 7:12'],
  [
    'a need that is disabled',
    `${RS}  - {id: x, script: "1", enabled: false}\n  - {id: y, script: "1", needs: [x]}\n`,
    'disabled-need 7:34',
  ],
  // Triggers.
  [
    'a stage trigger that does not parse',
    stage('use: searchEngineQuery\ntrigger: {expression: envs.a =}'),
    'bad-expression 7:34',
  ],
  [
    'a stage trigger with an unknown name',
    stage('use: searchEngineQuery\ntrigger: {expression: env.a}'),
    'bad-expression 7:27',
  ],
  [
    'a pipeline trigger that does not parse',
    `trigger: {type: query, expression: $query ==}\n${RS}`,
    'bad-expression 1:45',
  ],
  ['a filter without expression', `trigger: {type: filter}\n${RS}`, 'missing-key 1:17'],
  ['a schedule without expression', `trigger: {type: cron}\n${RS}`, 'missing-key 1:17'],
  ['a type that is none', `trigger: {type: never}\n${RS}`, 'bad-value 1:17'],
  ['a bound that is no time', `trigger: {timeframe: {start_time: soon}}\n${RS}`, 'bad-time 1:35'],
  [
    'a period that is empty',
    `trigger: {timeframe: {start_time: 2, end_time: 1}}\n${RS}`,
    'empty-timeframe 1:48',
  ],
  // The rest.
  ['an id with a blank', `id: a b\n${RS}`, 'bad-value 1:5'],
  ['a priority that is no number', `priority: high\n${RS}`, 'wrong-type 1:11'],
  ['a global env without key', `global_envs: [{value: x}]\n${RS}`, 'missing-key 1:16'],
  ['a key that is mistyped', `descripton: x\n${RS}`, 'unknown-key 1:1'],
  [
    'a key that is none in classify',
    `${R}    classify: {category: docs, x: 1}\n${S}`,
    'unknown-key 4:32',
  ],
  [
    'the same in a global env',
    `global_envs: [{key: K, value: v, valeu: x}]\n${RS}`,
    'unknown-key 1:34',
  ],
  [
    'the same in its check',
    `global_envs: [{key: K, value: v, validate: {url: u, status: 2}}]\n${RS}`,
    'unknown-key 1:53',
  ],
  ['a key that is none', `${RS}data: mongodb\n`, 'unknown-key 6:1'],
  ['a variable without value', `envs: {A: "\${{B}}"}\n${RS}`, 'unresolved-variable 1:11'],
  ['an open route', `${R}stages:\n  - use: searchEngineQuery\n`, 'open-route 1:1'],
  [
    'a schedule, which has no open route',
    `trigger: {type: cron, expression: "@daily"}\n${R}stages:\n  - use: searchEngineQuery\n`,
    '',
  ],
])('%s', (_rule, text, expected) => {
  const { diagnostics } = parsePipeline(
    { path: 'a.yaml', text },
    {
      stages,
      planned: ['useCache'],
      resolveScript: (ref) => ({ candidates: ref === 'two.js' ? ['a/two.js', 'b/two.js'] : [] }),
    },
  )
  const found = diagnostics.map(({ code, source }) => `${code} ${source.line}:${source.column}`)
  expect(found.join(', ')).toBe(expected)
})

test.each([
  ['needs of a pre-built stage', stage('use: searchEngineQuery\nneeds: [authorization]')],
  ['authorization on a route without category', RS],
  ['parameters besides {index}', RS.replace('/a', '/{index}/{locale}/b')],
])('%s are fine, unlike in the reference product', (_rule, text) => {
  const { diagnostics } = parsePipeline(
    { path: 'a.yml', text },
    { stages, resolveScript: () => ({ candidates: [] }) },
  )
  expect(diagnostics).toEqual([])
})

test('a number without an end is called by its name', () => {
  const { diagnostics } = parsePipeline(
    { path: 'a.yaml', text: `priority: .inf\n${RS}` },
    { stages, resolveScript: () => ({ candidates: [] }) },
  )
  const messages = diagnostics.map(({ message }) => message)
  expect(messages).toContain('priority must be a number, not Infinity')
})
