import { expect, test } from 'vitest'
import { z } from 'zod'
import { editPipeline } from './edit/edit-pipeline.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { compilePlan } from './plan.ts'

const LONG = '9007199254740993'
const kinds = [
  {
    use: 'say',
    summary: '-',
    inputs: z.strictObject({ body: z.unknown().optional(), size: z.number().optional() }),
  },
]
const head = 'routes: [{path: /a, method: GET}]\n'
const parse = (text: string, path = 'a.yaml') =>
  parsePipeline({ path, text }, { stages: kinds, resolveScript: () => ({ candidates: [] }) })

function inputsOf(text: string) {
  const { definition, sources, diagnostics } = parse(text)
  expect(diagnostics).toEqual([])
  if (!definition) throw new Error('The text has errors')
  return compilePlan({ definition, sources }, kinds).stages[0]?.inputs
}

test.each([
  [LONG, LONG],
  [`-${LONG}`, `-${LONG}`],
  [`+${LONG}`, LONG],
  ['0x20000000000001', LONG],
  ['9007199254740991', '9007199254740991'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['0.12345678901234567890', '0.12345678901234567890'],
  ['1.50', '1.5'],
  ['1e3', '1000'],
  [`"${LONG}"`, `"${LONG}"`],
])('%s in inputs is sent as %s', (written, sent) => {
  const inputs = inputsOf(
    `${head}stages: [{use: say, inputs: {body: {id: ${written}, ids: [${written}]}}}]\n`,
  )
  expect(inputs?.kind === 'constant' && JSON.stringify(inputs.value)).toBe(
    `{"body":{"id":${sent},"ids":[${sent}]}}`,
  )
})

test('JSON keeps its digits, too, and so do envs and keys', () => {
  const text = `{"routes":[{"path":"/a","method":"GET"}],"envs":{"A":${LONG}},"stages":[{"use":"say"}]}`
  expect(JSON.stringify(parse(text, 'a.json').definition?.envs)).toBe(`{"A":${LONG}}`)
  const keyed = `${head}envs: {${LONG}: 1}\nstages: [{use: say}]\n`
  expect(parse(keyed).definition?.envs).toEqual({ [LONG]: 1 })
})

test('beside a dynamic part the digits stay', () => {
  const inputs = inputsOf(
    `${head}stages: [{use: say, inputs: {body: {id: ${LONG}, a: '{{envs.a}}'}}}]\n`,
  )
  expect(JSON.stringify(inputs)).toContain(LONG)
})

test('an input that is reckoned with is a plain number', () => {
  const inputs = inputsOf(`${head}stages: [{use: say, inputs: {size: 0.12345678901234567}}]\n`)
  expect(inputs).toEqual({
    kind: 'constant',
    value: { size: Number('0.12345678901234567') },
  })
})

test('a field that cannot have so many digits says so', () => {
  const { diagnostics } = parse(`${head}priority: ${LONG}\nstages: [{use: say}]\n`)
  expect(diagnostics).toMatchObject([
    { code: 'wrong-type', message: 'priority must be a number, not a number with so many digits' },
  ])
})

test('an edit elsewhere leaves the digits alone', () => {
  const text = `stages:\n  - use: say\n    inputs: {body: ${LONG}}\n`
  const edited = editPipeline(
    { path: 'a.yaml', text },
    { kind: 'setField', path: ['stages', 0, 'inputs', 'size'], value: 2 },
  )
  expect(edited).toEqual({ text: text.replace(`${LONG}}`, `${LONG}, size: 2}`), diagnostics: [] })
})
