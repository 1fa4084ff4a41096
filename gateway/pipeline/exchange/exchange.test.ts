import { expect, test } from 'vitest'
import { z } from 'zod'
import { parsePipeline } from '../parse-pipeline.ts'
import type { StageKind } from '../stage-kind.ts'
import { importPipeline } from './import-pipeline.ts'
import { toDialect } from './to-dialect.ts'
import { toOneClick } from './to-one-click.ts'

const stage = (use: string, more?: Partial<StageKind>): StageKind => ({
  use,
  summary: '-',
  inputs: z.looseObject({}),
  ...more,
})
const stages = [
  stage('authorization', { position: 'guard' }),
  stage('declarativeQuery'),
  stage('searchEngineQuery', { mayBeAsync: true }),
  stage('documentStoreQuery'),
  stage('altEngineQuery'),
]
const files: Record<string, string> = { 'a/rank.js': 'rank("x\\n")\n', 'b.js': 'b()\n' }
const resolveScript = (ref: string) => {
  const text = files[ref]
  return text === undefined ? { candidates: [] } : { path: ref, text }
}
const check = (text: string, path = 'a.yaml') =>
  parsePipeline({ path, text }, { stages, resolveScript })

const text = `# Names change, this does not.
routes:
  - path: "/{index}/_declarative" # quoted
    method: POST
    classify: {category: declarative}
stages:
  - use: authorization
  - use: declarativeQuery   # translates
  - id: engine
    use: 'searchEngineQuery'
    needs: [declarativeQuery]
  - use: searchEngineQuery
    async: true
  - use: documentStoreQuery
    inputs: {query: "{{searchEngineQuery.hits}}"}
  - use: altEngineQuery
    id: altEngineQuery
    needs: [altEngineQuery2]
    trigger: {expression: context.searchEngineQuery != "searchEngineQuery"}
  - id: altEngineQuery2
    scriptRef: a/rank.js # ranks
`
const reference = text
  .replace('_declarative"', '_reactivesearch"')
  .replace('category: declarative', 'category: reactivesearch')
  .replace('use: declarativeQuery', 'use: reactivesearchQuery')
  .replace('[declarativeQuery]', '[reactivesearchQuery]')
  .replace("'searchEngineQuery'", "'elasticsearchQuery'")
  .replace('use: searchEngineQuery', 'use: elasticsearchQuery')
  .replace('{{searchEngineQuery.hits', '{{elasticsearchQuery.hits')
  .replace('context.searchEngineQuery', 'context.elasticsearchQuery')
  .replace('use: documentStoreQuery', 'use: mongoDBQuery')
  .replace('use: altEngineQuery', 'use: solrQuery')

test('names go to the other dialect and back, and nothing else changes', () => {
  expect(toDialect({ path: 'a.yaml', text }, 'reference')).toEqual({
    text: reference,
    diagnostics: [],
  })
  expect(toDialect({ path: 'a.yaml', text: reference }, 'sluice')).toEqual({
    text,
    diagnostics: [],
  })
  expect(toDialect({ path: 'a.yaml', text }, 'sluice').text).toBe(text)
  expect(toDialect({ path: 'a.yaml', text: reference }, 'reference').text).toBe(reference)
})

test('both dialects mean the same', () => {
  const uses = (source: string) => check(source).definition?.stages.map(({ use }) => use)
  expect(uses(reference)).toEqual(uses(text))
})

test('names at home in the dialect stay, and "uses" becomes "use" in both', () => {
  const source = 'stages:\n  - uses: opensearchQuery # x\n  - uses: searchEngineQuery\n    id: b\n'
  expect(toDialect({ path: 'a.yaml', text: source }, 'reference').text).toBe(
    'stages:\n  - use: opensearchQuery # x\n  - use: elasticsearchQuery\n    id: b\n',
  )
  expect(toDialect({ path: 'a.yaml', text: source }, 'sluice').text).toBe(
    'stages:\n  - use: searchEngineQuery # x\n  - use: searchEngineQuery\n    id: b\n',
  )
})

test('a script that reads a stage by a changed name is told of', () => {
  const source =
    'stages:\n  - use: searchEngineQuery\n    async: true\n  - id: s\n    script: context.searchEngineQuery\n'
  expect(toDialect({ path: 'a.yaml', text: source }, 'reference').diagnostics).toMatchObject([
    { severity: 'warning', code: 'renamed-in-script', source: { line: 5, column: 13 } },
  ])
})

test('JSON keeps its form', () => {
  const source = '{\n\t"stages": [{"use": "declarativeQuery"}]\n}'
  expect(toDialect({ path: 'a.json', text: source }, 'reference').text).toBe(
    source.replace('declarative', 'reactivesearch'),
  )
})

test('one-click JSON holds the scripts, and coming in again they are files', () => {
  const { text: json, diagnostics } = toOneClick({ path: 'a.yaml', text }, resolveScript)
  expect(diagnostics).toEqual([])
  expect(JSON.parse(json)).toMatchObject({
    routes: [{ path: '/{index}/_declarative' }],
    stages: [{}, {}, {}, {}, {}, {}, { id: 'altEngineQuery2', script: 'rank("x\\n")\n' }],
  })
  const back = importPipeline(
    { path: 'shop/pipeline_oneclick.json', text: json, resolveScript },
    { stages },
  )
  expect(back.diagnostics).toEqual([])
  expect(back.files?.map(({ path }) => path)).toEqual([
    'pipelines/shop.pipeline.json',
    'pipelines/shop/altEngineQuery2.js',
  ])
  expect(back.files?.[1]?.text).toBe(files['a/rank.js'])
  expect(back.files?.[0]?.text).toBe(
    json.replace(/"script": ".*"/, '"scriptRef": "shop/altEngineQuery2.js"'),
  )
})

test('one-click JSON keeps the digits of numbers and says which script is missing', () => {
  const source = 'stages:\n  - use: authorization\n    inputs: {id: 9007199254740993}\n'
  expect(toOneClick({ path: 'a.yaml', text: source }, resolveScript).text).toContain(
    ': 9007199254740993',
  )
  const missing = `${source}  - id: a\n    scriptRef: no.js\n`
  expect(toOneClick({ path: 'a.yaml', text: missing }, resolveScript).diagnostics).toMatchObject([
    { code: 'script-not-found', source: { line: 5, column: 16 } },
  ])
})

/** What becomes of a text on its way in: its new text, and the codes of what is left to say. */
function imported(source: string, path = 'somewhere/pipeline.yaml') {
  const { files, diagnostics } = importPipeline({ path, text: source, resolveScript }, { stages })
  return { files: files ?? [], text: files?.[0]?.text, codes: diagnostics.map(({ code }) => code) }
}
const head = 'routes:\n  - path: /a\n    method: GET # why\n'
const body = 'stages:\n  - use: authorization\n'

test.each([
  ['`uses` for `use`', `${head}stages:\n  - uses: authorization\n`, undefined, ['alias']],
  ['a stage without id', head + body, undefined, []],
  [
    'envs as a list of maps',
    `envs:\n  - A: 1\n  - B: 2\n${head}${body}`,
    undefined,
    ['list-of-maps'],
  ],
  ['a route without slash', head.replace('/a', 'a') + body, head + body, []],
  [
    'classify beside the keys of its route',
    `${head}    classify:\n    category: search\n${body}`,
    `${head}    classify:\n      category: search\n${body}`,
    [],
  ],
  [
    'classify beside routes',
    `${head}classify:\n  category: search\n${body}`,
    `${head}    classify:\n      category: search\n${body}`,
    [],
  ],
  [
    'the category elasticsearch',
    `${head}    classify: {category: elasticsearch}\n${body}`,
    `${head}    classify: {category: docs}\n${body}`,
    [],
  ],
  ['a flag of YAML 1.1', `enabled: yes\n${head}${body}`, `enabled: true\n${head}${body}`, []],
  ['stray keys', `${head}data: mongodb\n${body}`, undefined, ['unknown-key']],
  ['an empty trigger', `trigger:\n${head}${body}`, undefined, []],
  [
    'variables of a deployment',
    `envs: {A: "\${{ TOKEN }}"}\n${head}${body}`,
    undefined,
    ['unresolved-variable'],
  ],
  [
    'dynamic inputs',
    `${head}${body}    inputs: {a: "{{context.envs.b}} {{{c}}}"}\n`,
    undefined,
    [],
  ],
  [
    'parts that others fill in',
    `${head}${body}    inputs: {docTemplate: "\${source.title}"}\nglobal_envs:\n  - key: K\n    value: v\n    validate: {url: "https://x/\${K}", headers: {a: "\`Basic \${btoa(\${K})}\`"}}\n`,
    undefined,
    [],
  ],
])('%s: comes in', (_name, source, after, codes) => {
  expect(imported(source)).toMatchObject({ text: after ?? source, codes })
})

test.each([
  ['b.js', 'b.js', 'pipelines/b.js'],
  ['/b.js', '/b.js', 'pipelines/b.js'],
  ['b', 'b', 'pipelines/b.js'],
  ['../x/b.js', 'somewhere/b.js', 'pipelines/somewhere/b.js'],
])('the script %s comes along and is found again', (ref, after, place) => {
  const own = { ...files, [ref]: 'b()\n' }
  const source = `${head}stages:\n  - use: authorization\n  - id: s\n    scriptRef: ${ref} # it\n`
  const { files: written, diagnostics } = importPipeline(
    {
      path: 'somewhere/pipeline.yaml',
      text: source,
      resolveScript: (one) => ({ path: one, text: own[one] ?? '' }),
    },
    { stages },
  )
  expect(diagnostics).toEqual([])
  expect(written).toEqual([
    { path: 'pipelines/somewhere.pipeline.yaml', text: source.replace(ref, after) },
    { path: place, text: 'b()\n' },
  ])
})

test('a script that is not there is told of with its place', () => {
  const source = `${head}stages:\n  - use: authorization\n  - id: s\n    scriptRef: no.js\n`
  expect(imported(source).codes).toEqual(['script-not-found'])
})

test.each([
  ['id: shop\n', 'somewhere/pipeline.yaml', 'pipelines/shop.pipeline.yaml'],
  ['id: ../../etc\n', 'somewhere/pipeline.yaml', 'pipelines/etc.pipeline.yaml'],
  ['', 'my shop/pipeline.yml', 'pipelines/my-shop.pipeline.yaml'],
  ['', 'shop.pipeline.yaml', 'pipelines/shop.pipeline.yaml'],
  ['', '', 'pipelines/imported.pipeline.yaml'],
])('%j from %j lands inside of the workspace', (id, path, target) => {
  expect(imported(id + head + body, path).files.map(({ path }) => path)).toEqual([target])
})

test('a text that cannot be read brings no files', () => {
  expect(imported('stages: [')).toEqual({ files: [], text: undefined, codes: ['syntax'] })
})
