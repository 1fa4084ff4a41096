import { expect, test } from 'vitest'
import { readDocument } from '../pipeline/read-document.ts'
import { createSandbox } from './create-sandbox.ts'

/** How a script can stand in a pipeline; `@n` marks places that are looked up below. */
const STYLES: Record<string, string> = {
  'a block': `stages:
  - id: a
    script: |
      function handleRequest() {
        console.log('@1')

        throw new Error('@2')
      }
`,
  'a block without its last line break': `stages:
  - script: |-

        function handleRequest() {
      // less than the first line would be a mistake of YAML
          console.log('@1')
          throw new Error('@2')
        }`.replace(/ {6}\/\/.*\n/, ''),
  'a block with its own indentation': `stages:
- script: |2
      function handleRequest() {
       console.log('@1')
     throw new Error('@2')
    }
`,
  'a block behind a tag, an anchor and a comment': `stages:
  - script: !!str &one | # what it does
        function handleRequest() {
        \tconsole.log('@1')
        throw new Error('@2') }
`,
  'a folded block': `stages:
  - script: >
      function handleRequest() {
      console.log('@1');
      const a = 1;

      const b = 2;
        if (a)
          console.log('@3');

      throw new Error('@2') }
`,
  'a folded block without its last line breaks': `stages:
  - script: >-
      function handleRequest() { console.log('@1');

      throw new Error('@2') }


`,
  'a plain text': `stages:
  - script: function handleRequest() { console.log('@1'); throw new Error('@2') }
`,
  'a plain text of several lines': `stages:
  - script: function handleRequest() {
      console.log('@1');

      console.log('@3');
        throw new Error('@2')
      }
    id: a
`,
  'single quotes': `stages:
  - script: 'function handleRequest() { console.log(''it''); console.log(''@1''); throw new Error(''@2'') }'
`,
  'single quotes over several lines': `stages:
  - script: 'function handleRequest() {
      console.log(''@1'');


      console.log(''@3'');  \n      throw new Error(''@2'')
      }'
`,
  'double quotes': `stages:
  - script: "function handleRequest() {\\n  console.log(\\"@1\\")\\n\\tthrow new Error(\\"\\u0041\\x41@2\\") }"
`,
  'double quotes over several lines': `stages:
  - script: "function handleRequest() {\\n
      console.log('\\
      \\  @1');

      console.log(\\"@3\\");
      \\tthrow new Error('@2')
      }"
`,
  'a flow map': `{ stages: [ { id: a, script: "function handleRequest() { console.log('@1');\\n throw new Error('@2') }" } ] }
`,
  'line breaks of Windows': `stages:\r
  - script: |\r
      function handleRequest() {\r
        console.log('@1')\r
        throw new Error('@2') }\r
`,
}

const JSON_FILE = `{
  "stages": [
    { "id": "a", "script": "function handleRequest() {\\n  const e = \\"\\ud83d\\ude00 \\\\n\\";\\r\\n\\tconsole.log('@1');\\n\\n  throw new Error('@2')\\n}\\n" }
  ]
}
`

/** Line and column of the statement that has the mark. */
function placeOf(document: string, mark: string, word: string) {
  const at = document.lastIndexOf(word, document.indexOf(mark))
  const before = document.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

async function runDocument(file: string, document: string) {
  const { value, scriptAt, diagnostics } = readDocument(file, document)
  expect(diagnostics).toEqual([])
  // Safe: the documents above have this shape.
  const { stages } = value as { stages: { script: string }[] }
  const scripts = stages.map(({ script }, index) => ({
    stageId: `s${index}`,
    ...scriptAt(['stages', index, 'script'], script),
  }))
  const sandbox = createSandbox()
  try {
    const program = sandbox.load(scripts, { memoryMb: 16 })
    const results = await program.run({
      runId: 'r',
      context: { request: {}, response: {}, envs: {} },
      stages: scripts.map(({ stageId }) => ({ stageId, continueOnError: true })),
      limits: { timeoutMs: 5000, timeoutName: 'of this test' },
      signal: new AbortController().signal,
      host: { fetch: () => Promise.reject(new Error('there is no network here')) },
    })
    return { results, problems: scripts.map((script) => sandbox.check(script)) }
  } finally {
    sandbox.close()
  }
}

test.each([
  ...Object.entries(STYLES).map(([style, text]) => [style, 'pipelines/a.yaml', text] as const),
  ['a JSON file', 'pipelines/a.json', JSON_FILE] as const,
])('errors and console entries point into %s', async (_style, file, document) => {
  const { results } = await runDocument(file, document)
  const [result] = results
  const thrown = placeOf(document, '@2', 'new Error')
  expect(result?.error).toMatchObject({ code: 'SCRIPT_THREW', source: { file, ...thrown } })
  expect(result?.error?.frames?.[0]).toBe(`handleRequest (${file}:${thrown.line}:${thrown.column})`)
  const marks = document.includes('@3') ? ['@1', '@3'] : ['@1']
  const logged = result?.logs.filter(({ values }) => values[0]?.text.includes('@'))
  expect(logged?.map(({ source }) => source)).toEqual(
    marks.map((mark) => {
      const { line, column } = placeOf(document, mark, 'log')
      return { file, line, column }
    }),
  )
})

test('scripts of one file that share lines are told apart', async () => {
  const document = `{"stages":[{"id":"a","script":"function handleRequest() {\\n\\n throw new Error('@1') }"},
{"id":"b","script":"function handleRequest() {\\n throw new Error('@2') }"}]}`
  const { results } = await runDocument('a.json', document)
  expect(results.map(({ error }) => error?.source)).toEqual(
    ['@1', '@2'].map((mark) => ({ file: 'a.json', ...placeOf(document, mark, 'new Error') })),
  )
})

test.each([
  ['a quoted script', `stages:\n  - script: "let a = 1\\n  let b = = 2"\n`, '= 2'],
  ['a folded script', 'stages:\n  - script: >\n      let a = 1;\n      let b = = 2\n', '= 2'],
])('a syntax error points into %s', async (_style, document, word) => {
  const { results, problems } = await runDocument('a.yaml', document)
  const at = placeOf(`${document}@1`, '@1', word)
  expect(results[0]?.error).toMatchObject({ code: 'SCRIPT_SYNTAX', source: at })
  expect(
    problems[0]
      ?.filter(({ severity }) => severity === 'error')
      .map(({ line, column }) => ({ line, column })),
  ).toEqual([at])
})

test('warnings point into a quoted script', async () => {
  const document = `stages:\n  - script: "function handleRequest() {\\n  leak = 1 }"\n`
  const { problems } = await runDocument('a.yaml', document)
  expect(problems[0]).toMatchObject([
    { code: 'SCRIPT_IMPLICIT_GLOBAL', file: 'a.yaml', ...placeOf(`${document}@1`, '@1', 'leak') },
  ])
})
