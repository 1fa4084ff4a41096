import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Diagnostic } from '../contract/diagnostic.ts'
import { parsePipeline } from './parse-pipeline.ts'
import type { StageKind } from './stage-kind.ts'
import { applyFix } from './text-edit.ts'

const stages: StageKind[] = [
  { use: 'authorization', summary: '-', inputs: z.strictObject({}), position: 'guard' },
  {
    use: 'searchEngineQuery',
    summary: '-',
    inputs: z.strictObject({
      method: z.enum(['GET', 'POST']).optional(),
      terms: z.array(z.strictObject({ field: z.string().optional() })).optional(),
    }),
  },
]
const check = (text: string, path = 'pipelines/a.pipeline.yaml') =>
  parsePipeline(
    { path, text },
    { stages, resolveScript: () => ({ candidates: ['scripts/rank.js'] }) },
  ).diagnostics

const mend = (text: string, { fix }: Diagnostic) => applyFix(text, fix?.edits ?? [])

const head = `routes:
  - path: /a # the one
    method: POST
    classify: {category: search}
stages:
  - use: authorization # first
`
const stage = (rest: string) => `${head}  - id: b\n    use: searchEngineQuery\n    ${rest}\n`

test.each([
  [
    'unknown-use',
    `${head}  - use: 'searchEnginQuery' # x\n`,
    'searchEnginQuery',
    'searchEngineQuery',
  ],
  ['unknown-key', stage('contineOnError: false'), 'contineOnError', 'continueOnError'],
  ['unknown-key', `${head}prioriti: 1\n`, 'prioriti', 'priority'],
  ['alias', `${head}  - use: elasticsearchQuery\n`, 'elasticsearchQuery', 'searchEngineQuery'],
  ['alias', `${head}  - uses: searchEngineQuery\n`, 'uses', 'use'],
  ['alias', head.replace('search}', 'reactivesearch}'), 'reactivesearch', 'declarative'],
  ['alias', head.replace('/a', '/a/_reactivesearch.v3'), '_reactivesearch.v3', '_declarative'],
  [
    'alias',
    `${head}  - use: searchEngineQuery\n  - {id: c, script: '1', needs: [elasticsearchQuery]}\n`,
    '[elasticsearchQuery]',
    '[searchEngineQuery]',
  ],
  ['route-slash', head.replace('/a', 'a'), 'path: a', 'path: /a'],
  [
    'unknown-category',
    head.replace('search}', 'elasticsearch}'),
    '{category: elasticsearch',
    '{category: docs',
  ],
  ['bad-value', head.replace('POST', 'PSOT'), 'PSOT', 'POST'],
  ['wrong-type', stage('continueOnError: "Yes" # x'), '"Yes"', 'true'],
  ['wrong-type', `enabled: off\n${head}`, 'off', 'false'],
  ['wrong-type', `description: 2026\n${head}`, '2026', '"2026"'],
  ['unknown-key', head.replace('category: search', 'category: search, alc: search'), 'alc', 'acl'],
  ['unknown-key', stage('trigger: {expresion: "true"}'), 'expresion', 'expression'],
  ['unknown-key', `trigger: {timeframe: {start: 1, end_tim: 2}}\n${head}`, 'end_tim', 'end_time'],
  [
    'duplicate-id',
    stage('async: false').replace('id: b', 'id: "authorization"'),
    'id: "authorization"',
    'id: "authorization-2"',
  ],
  [
    'duplicate-id',
    `${head}  - use: authorization\n`,
    '  - use: authorization\n',
    '  - id: authorization-2\n    use: authorization\n',
  ],
  ['unknown-need', stage('needs: [authorisation] # y'), '[authorisation]', '[authorization]'],
  ['unknown-input', stage('inputs: {methode: GET}'), 'methode', 'method'],
  ['unknown-input', stage('inputs: {terms: [{feild: a}]}'), 'feild', 'field'],
  ['bad-input', stage('inputs: {method: PSOT}'), 'PSOT', 'POST'],
  [
    'script-not-found',
    `${head}  - id: b\n    scriptRef: rnak.js # z\n`,
    'rnak.js',
    '../scripts/rank.js',
  ],
  [
    'classify-indent',
    head.replace(
      'classify: {category: search}',
      'classify: # how\n    category: search\n    acl: search',
    ),
    'classify: # how\n    category: search\n    acl: search\n',
    'classify: # how\n      category: search\n      acl: search\n',
  ],
  [
    'classify-indent',
    head.replace('classify: {category: search}', 'category: search'),
    '    category: search\n',
    '    classify:\n      category: search\n',
  ],
  [
    'classify-indent',
    head.replace('    classify: {category: search}', 'classify:\n  category: search'),
    'classify:\n  category: search\n',
    '    classify:\n      category: search\n',
  ],
])('%s has a fix that changes just that, and is gone after it', (code, text, part, by) => {
  const before = check(text)
  const fixable = before.filter(({ fix }) => fix)
  expect(fixable.map((one) => one.code)).toEqual([code])
  const [only] = fixable
  const after = only ? mend(text, only) : text
  const at = text.lastIndexOf(part)
  expect(after).toBe(text.slice(0, at) + by + text.slice(at + part.length))
  expect(check(after).map((one) => one.code)).toEqual(
    code === 'script-not-found'
      ? [code]
      : before.filter((one) => one !== only).map((one) => one.code),
  )
})

test('JSON is mended as JSON', () => {
  const text =
    '{\n  "routes": [{"path": "a", "method": "GET"}],\n  "stages": [{"use": "authorization"}]\n}'
  const [found] = check(text, 'a.json')
  expect(found && mend(text, found)).toBe(text.replace('"a"', '"/a"'))
})

test('a name that stands there already is not what was meant', () => {
  const keys = `${head}stage: []\n`
  const inputs = stage('inputs: {method: GET, methode: GET}')
  const needs = stage('needs: [authorization, authorisation]')
  const itself = stage('needs: [c]').replace('id: b', 'id: cc')
  expect(
    [keys, inputs, needs, itself].flatMap((text) => check(text).map(({ fix }) => fix)),
  ).toEqual([undefined, undefined, undefined, undefined])
})

test('what only the author can know has no fix', () => {
  const codes = check(stage('needs: [other]').replace('searchEngineQuery', 'somethingElse'))
  expect(codes.map(({ code, fix }) => [code, fix])).toEqual([
    ['unknown-use', undefined],
    ['unknown-need', undefined],
  ])
})
