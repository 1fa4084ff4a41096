import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parsePipeline, type ParseServices } from './parse-pipeline.ts'
import type { StageKind } from './stage-kind.ts'

const stages: StageKind[] = [
  { use: 'authorization', summary: '-', inputs: z.strictObject({}), position: 'guard' },
  {
    use: 'declarativeQuery',
    summary: '-',
    inputs: z.strictObject({ backend: z.enum(['elasticsearch', 'opensearch']).optional() }),
    needsCategory: 'declarative',
  },
  {
    use: 'searchEngineQuery',
    summary: '-',
    inputs: z.strictObject({ path: z.string().optional(), size: z.number().optional() }),
    mayBeAsync: true,
  },
  {
    use: 'replaceWords',
    summary: '-',
    inputs: z.strictObject({ data: z.record(z.string(), z.string()) }),
  },
]
const files: Record<string, string> = { 'rank.js': 'function handleRequest() {}' }
const services: ParseServices = {
  stages,
  planned: ['useCache'],
  resolveScript: (ref) => {
    const text = files[ref]
    return text === undefined
      ? { candidates: ref === 'a.js' ? ['x/a.js', 'y/a.js'] : [] }
      : { path: ref, text }
  },
  environment: (name) => (name === 'TOKEN' ? 'abc' : undefined),
}
const parse = (text: string, path = 'pipelines/movies.pipeline.yaml') =>
  parsePipeline({ path, text }, services)

const head = `routes:
  - path: /movies/_declarative
    method: POST
    classify:
      category: declarative
stages:
  - use: authorization
`
/** Severity, code, and the very text a diagnostic points at. */
const found = (text: string, path?: string) =>
  parse(text, path).diagnostics.map(({ severity, code, source }) => {
    const lines = text.split('\n')
    const last = lines[source.endLine - 1] ?? ''
    const token =
      source.line === source.endLine
        ? last.slice(source.column - 1, source.endColumn - 1)
        : `${lines[source.line - 1]?.slice(source.column - 1)}…`
    return `${severity} ${code} ${source.line} ${token}`
  })

test('a correct pipeline has no diagnostics, and its id is the name of its file', () => {
  const { definition, diagnostics } = parse(head)
  expect([definition?.id, diagnostics]).toEqual(['movies', []])
})

test.each([
  ['stages: [', ['error syntax 1 ']],
  ['a: 1\na: 2\n', ['error syntax 2 a']],
  ['just text', ['error not-a-map 1 just text']],
  ['', ['error not-a-map 1 ']],
  ['stages:\n  - use: authorization\n', ['error missing-key 1 stages']],
])('a text that is no pipeline is refused: %j', (text, expected) => {
  expect(found(text).map((line) => line.trim())).toEqual(expected.map((line) => line.trim()))
})

test.each([
  ['an unknown stage', '  - use: replaceWord\n', 'error unknown-use 8 replaceWord'],
  ['a stage that is not there yet', '  - use: useCache\n', 'error planned-use 8 useCache'],
  ['an alias', '  - use: elasticsearchQuery\n', 'information alias 8 elasticsearchQuery'],
  ['the key uses', '  - uses: searchEngineQuery\n', 'information alias 8 uses'],
  ['a second stage of one name', '  - use: authorization\n', 'error duplicate-id 8 authorization'],
  ['a missing input', '  - use: replaceWords\n', 'error missing-input 8 replaceWords'],
  [
    'an input of a wrong type',
    '  - use: searchEngineQuery\n    inputs:\n      size: big\n',
    'error bad-input 10 big',
  ],
  [
    'an unknown input',
    '  - use: searchEngineQuery\n    inputs:\n      sise: 1\n',
    'warning unknown-input 10 sise',
  ],
  [
    'a wrong choice',
    '  - use: declarativeQuery\n    inputs:\n      backend: elastic\n',
    'error bad-input 10 elastic',
  ],
  [
    'an unknown need',
    '  - use: searchEngineQuery\n    needs: [authorisation]\n',
    'error unknown-need 9 authorisation',
  ],
  [
    'a stage that needs itself',
    '  - id: a\n    use: searchEngineQuery\n    needs:\n      - a\n',
    'error needs-cycle 11 a',
  ],
  [
    'needs that are no list',
    '  - use: searchEngineQuery\n    needs: authorization\n',
    'error wrong-type 9 authorization',
  ],
  [
    'a script file that is not there',
    '  - id: a\n    scriptRef: b.js\n',
    'error script-not-found 9 b.js',
  ],
  ['an ambiguous script file', '  - id: a\n    scriptRef: a.js\n', 'error script-ambiguous 9 a.js'],
  [
    'script and scriptRef',
    '  - id: a\n    script: "1"\n    scriptRef: rank.js\n',
    'error script-and-ref 10 scriptRef',
  ],
  ['use and script', '  - use: authorisation\n    script: "1"\n', 'error use-and-script 8 use'],
  ['a stage without work', '  - id: a\n', 'error stage-without-work 8 id'],
  ['a script without id', '  - script: "1"\n', 'error missing-key 8 script'],
  [
    'a flag that is no flag',
    '  - use: searchEngineQuery\n    async: maybe\n',
    'error wrong-type 9 maybe',
  ],
  [
    'async where it is ignored',
    '  - use: declarativeQuery\n    async: true\n',
    'warning async-ignored 9 async',
  ],
  ['a mistyped key', '  - use: searchEngineQuery\n    input: {}\n', 'warning unknown-key 9 input'],
  [
    'a broken trigger',
    '  - use: searchEngineQuery\n    trigger:\n      expression: envs.a = 1\n',
    'error bad-expression 10 =',
  ],
  [
    'a trigger with an unknown name',
    '  - use: searchEngineQuery\n    trigger:\n      expression: "1 == contxt.a"\n',
    'error bad-expression 10 contxt',
  ],
  [
    'an async stage with a reserved id',
    '  - id: response\n    use: searchEngineQuery\n    async: true\n',
    'error reserved-id 8 response',
  ],
])('%s is reported at its token', (_name, stage, expected) => {
  expect(found(head + stage)).toEqual([expected])
})

test.each([
  ['POST', '/movies/{index', 'error route-path 2 /movies/{index'],
  ['POST', '/a-{index}/x', 'error route-path 2 /a-{index}/x'],
  ['POST', '/{a}/{a}', 'error route-path 2 /{a}/{a}'],
  ['POST', '/a?b=1', 'error route-path 2 /a?b=1'],
  ['POST', '/_sluice/x', 'error route-path 2 /_sluice/x'],
  ['PSOT', '/a', 'error bad-value 3 PSOT'],
])('the route %s %s is refused', (method, path, expected) => {
  const text = `routes:\n  - path: ${path}\n    method: ${method}\nstages:\n  - use: authorization\n`
  expect(found(text)).toEqual([expected])
})

test('a path without its leading slash is accepted', () => {
  expect(found(head.replace('/movies/', 'movies/'))).toEqual([
    'information route-slash 2 movies/_declarative',
  ])
})

test('stages that wait for one another are named in order', () => {
  const circle =
    '  - {id: a, use: searchEngineQuery, needs: [b]}\n  - {id: b, use: searchEngineQuery, needs: [a]}\n'
  const [{ message, source } = { message: '', source: undefined }] = parse(
    head + circle,
  ).diagnostics
  expect([message, source?.line]).toEqual(['These stages wait for one another: "a" → "b" → "a"', 8])
})

test('a mistyped name comes with the nearest known one', () => {
  const [{ message } = { message: '' }] = parse(`${head}  - use: replaceWord\n`).diagnostics
  expect(message).toBe('There is no stage "replaceWord"; did you mean "replaceWords"?')
})

test('a stage that asks for a category is refused on a route without it', () => {
  const text = head.replace('category: declarative', 'category: search')
  expect(found(`${text}  - use: declarativeQuery\n`)).toEqual([
    'error category-required 8 declarativeQuery',
  ])
})

test('an open pipeline and a need that is disabled are warned about', () => {
  const text = `routes: [{path: /a, method: GET}]
stages:
  - {id: a, use: searchEngineQuery, enabled: false}
  - {id: b, use: searchEngineQuery, needs: [a]}
`
  expect(found(text)).toEqual(['warning open-route 1 routes', 'warning disabled-need 4 a'])
})

test('several mistakes are reported together, in the order of the text', () => {
  const text = `${head.replace('POST', 'PSOT')}  - use: nothing\n    needs: [x]\n`
  expect(found(text)).toEqual([
    'error bad-value 3 PSOT',
    'error unknown-use 8 nothing',
    'error unknown-need 9 x',
  ])
})

test('dynamic inputs pass whatever type is asked for', () => {
  expect(
    found(`${head}  - use: searchEngineQuery\n    inputs:\n      size: '{{envs.size}}'\n`),
  ).toEqual([])
})

test('a list of maps is read as one map where a map is wanted', () => {
  const text = `envs:\n  - a: 1\n  - b: 2\n${head}  - use: replaceWords\n    inputs:\n      data:\n        - x: y\n        - z: w\n`
  const { definition, diagnostics } = parse(text)
  expect([definition?.envs, diagnostics.map(({ code }) => code)]).toEqual([
    { a: 1, b: 2 },
    ['list-of-maps'],
  ])
})

test('variables are resolved outside of scripts, and unknown ones are reported', () => {
  const text = `envs:\n  a: Bearer \${{ token }}\n  b: \${{NOWHERE}}\n${head}  - id: s\n    script: \`\${{TOKEN}}\`\n`
  expect(parse(text.replace('`${{TOKEN}}`', '"`${{TOKEN}}`"')).definition?.envs).toEqual({
    a: 'Bearer abc',
    b: '${{NOWHERE}}',
  })
  expect(found(text.replace('`${{TOKEN}}`', '"`${{TOKEN}}`"'))).toEqual([
    'warning unresolved-variable 3 ${{NOWHERE}}',
  ])
})

test('names of the reference product are understood, and a stage keeps the id its author gave it', () => {
  const text = `routes:
  - path: /movies/_reactivesearch.v3
    method: POST
    classify: {category: reactivesearch}
stages:
  - use: authorization
  - use: reactivesearchQuery
  - uses: elasticsearchQuery
    needs: [declarativeQuery]
`
  const { definition } = parse(text)
  expect(definition?.stages.map(({ id, use }) => [id, use])).toEqual([
    ['authorization', 'authorization'],
    ['reactivesearchQuery', 'declarativeQuery'],
    ['elasticsearchQuery', 'searchEngineQuery'],
  ])
})

test('needs may name a stage by its name in the other dialect', () => {
  const stages =
    '  - use: elasticsearchQuery\n  - id: x\n    script: "1"\n    needs: [searchEngineQuery]\n'
  const { definition, diagnostics } = parse(head + stages)
  expect([definition?.stages.at(-1)?.needs, diagnostics.map(({ code }) => code)]).toEqual([
    ['elasticsearchQuery'],
    ['alias', 'alias'],
  ])
})

test('an inline script knows where its first character stands', () => {
  const text = `${head}  - id: a
    script: |
      function handleRequest() {
        return {}
      }
  - id: b
    script: "return 1"
`
  const scripts = parse(text).sources.stages.map(({ script }) => script)
  expect(scripts.slice(1)).toEqual([
    {
      file: 'pipelines/movies.pipeline.yaml',
      line: 10,
      column: 7,
      text: 'function handleRequest() {\n  return {}\n}\n',
    },
    { file: 'pipelines/movies.pipeline.yaml', line: 14, column: 14, text: 'return 1' },
  ])
})

test('JSON is read like YAML, and mistakes have positions there, too', () => {
  const text = `{
  "routes": [{"path": "/a", "method": "GET"}],
  "stages": [{"use": "authorization"}, {"use": "wrong"}]
}`
  expect(found(text, 'a.json')).toEqual(['error unknown-use 3 "wrong"'])
})

test('JSON with a comment is refused at the comment', () => {
  const text =
    '{ // why\n"routes": [{"path": "/a", "method": "GET"}], "stages": [{"use": "authorization"}]}'
  expect(found(text, 'a.json')).toEqual(['error syntax 1 /'])
})

test.each([
  ['an anchor that contains itself', 'stages: &a\n  - *a\nroutes: []\n'],
  ['very deep brackets', `stages: ${'['.repeat(20_000)}`],
  [
    'many aliases',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`).join('\n')}\n`,
  ],
  ['a key of the prototype', `${head}__proto__: {a: 1}\n`],
  [
    'a thousand stages that need one another',
    `routes: []\nstages:\n${Array.from({ length: 1_000 }, (_, at) => `  - {id: s${at}, use: x, needs: [s${at + 1}]}\n`).join('')}`,
  ],
])('%s is no exception', (_name, text) => {
  expect(() => parse(text)).not.toThrow()
})

test('whatever the text, it is checked without an exception', () => {
  const words =
    'routes:|stages:|- |  |\n|use: |id: a|needs: [a]|trigger:|{|}|[|]|"|: |&a |*a |!!int |#|null|envs:|' +
    'inputs:|${{X}}|{{x}}|replaceWords|script: >|expression: a ==|method: POST|path: /{a|1|? '
  const piece = fc.constantFrom(...words.split('|'), '|')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { diagnostics } = parse(pieces.join(''))
      expect(diagnostics.every(({ source }) => source.line > 0 && source.column > 0)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
