import { expect, test } from 'vitest'
import { z } from 'zod'
import { pipelineJsonSchema } from './json-schema.ts'
import { toModel } from './model.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { compilePlan } from './plan.ts'
import type { StageKind } from './stage-kind.ts'

const kinds: StageKind[] = [
  { use: 'guard', summary: 'g', inputs: z.strictObject({}), position: 'guard' },
  {
    use: 'native',
    summary: 'n',
    inputs: z.strictObject({
      size: z.number().optional().describe('How many'),
      data: z.record(z.string(), z.string()).optional(),
    }),
    mayBeAsync: true,
  },
]

function checked(
  stages: string,
  routes = '[{path: /a, method: GET, classify: {category: declarative}}]',
) {
  const { definition, sources, diagnostics } = parsePipeline(
    { path: 'p.yaml', text: `routes: ${routes}\nstages:\n${stages}` },
    { stages: kinds, resolveScript: (ref) => ({ path: ref, text: `// ${ref}` }) },
  )
  if (!definition) throw new Error(diagnostics[0]?.message)
  return { definition, sources }
}
const plan = (stages: string) => compilePlan(checked(stages), kinds)

test('scripts are fused only while nothing can happen between them', () => {
  const { line } = plan(`
- {id: s0, script: '1'}
- {id: s1, script: '1'}
- {id: s2, script: '1', trigger: {expression: 'true'}}
- {id: s3, script: '1'}
- {id: s4, script: '1', continueOnError: false}
- {id: s5, script: '1'}
- {id: n6, use: native}
- {id: s7, script: '1'}
- {id: s8, script: '1', enabled: false}
- {id: a9, use: native, async: true, needs: [s7]}
- {id: s10, script: '1'}
- {id: s11, script: '1', needs: [a9]}
- {id: s12, script: '1'}
- {id: s13, script: '1'}`)
  expect(line.map((group) => group.map(({ index }) => index))).toEqual([
    [0, 1],
    [2],
    [3, 4],
    [5],
    [6],
    [7],
    [8],
    [10],
    [11],
    [12, 13],
  ])
})

test('guards come first, and what they need does not hold them back', () => {
  const { line, isGuarded } = plan(`
- {id: a, use: native}
- {id: g, use: guard, needs: [a]}`)
  expect([line.flat().map(({ id }) => id), isGuarded]).toEqual([['g', 'a'], true])
})

test('a disabled guard guards nothing', () => {
  expect(plan('- {id: g, use: guard, enabled: false}').isGuarded).toBe(false)
})

test('an asynchronous stage sees the context after the last synchronous stage it needs', () => {
  const { stages } = plan(`
- {id: a, use: native}
- {id: b, use: native}
- {id: c, use: native}
- {id: x, use: native, async: true, needs: [b, a]}
- {id: y, use: native, async: true, needs: [x]}
- {id: z, use: native, async: true}`)
  expect(stages.slice(3).map(({ sees, asyncNeeds }) => [sees, asyncNeeds])).toEqual([
    [1, []],
    [1, [3]],
    [undefined, []],
  ])
})

test('inputs without dynamic parts are validated once, unknown keys and lists of maps put right', () => {
  const [stage] = plan('- {id: a, use: native, inputs: {sise: 1, data: [{a: b}, {c: d}]}}').stages
  expect(stage?.inputs).toEqual({ kind: 'constant', value: { data: { a: 'b', c: 'd' } } })
})

test.each([
  ['return JSON.parse(context.request.body).size', false],
  ['context.request.body; context.response.code', false],
  ['context.envs.query', true],
  ['const { envs } = context', true],
  ['JSON.stringify(context)', true],
  ["context['en' + 'vs']", true],
  ['context . request.body', false],
])('whether the script %j may read the envs of the body: %s', (script, expected) => {
  expect(plan(`- {id: s, script: ${JSON.stringify(script)}}`).readsBodyEnvs).toBe(expected)
})

test('the model tells what the text says, with the place of every stage', () => {
  const model = toModel(
    checked('- id: a\n  use: native\n  needs: []\n- {id: s, scriptRef: x.js, async: true}\n'),
  )
  expect(
    model.stages.map(({ id, scriptFile, source, ...rest }) => [
      id,
      scriptFile,
      rest.async,
      source.line,
      source.endLine,
    ]),
  ).toEqual([
    ['a', undefined, false, 3, 5],
    ['s', 'x.js', true, 6, 6],
  ])
})

test('the JSON schema completes stages by name and their inputs by stage', () => {
  const schema = JSON.parse(JSON.stringify(pipelineJsonSchema(kinds)))
  const stage = schema.properties.stages.items
  expect(stage.properties.use.oneOf).toEqual([
    { const: 'guard', description: 'g' },
    { const: 'native', description: 'n' },
  ])
  expect(stage.allOf[1].then.properties.inputs.properties.size).toEqual({
    description: 'How many',
    anyOf: [{ type: 'number' }, { type: 'string', pattern: '\\{\\{.+\\}\\}' }],
  })
  expect(schema.properties.routes.items.properties.method.description).toBe(
    'HTTP method that triggers the pipeline',
  )
})
