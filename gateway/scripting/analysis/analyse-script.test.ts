import { expect, test } from 'vitest'
import { analyseScript } from './analyse-script.ts'

function analysed(text: string) {
  const analysis = analyseScript(text)
  if (!analysis.ok) throw new Error(analysis.message)
  return analysis
}

const inHandler = (body: string) => `function handleRequest() { ${body} }`

test.each<[body: string, paths: string[][]]>([
  ['const q = JSON.parse(context.request.body)', [['request', 'body']]],
  ['context.response.body = "x"', []],
  ['context.response.body += "x"', [['response', 'body']]],
  ['delete context.request.headers', [['request', 'headers']]],
  ['context.request.headers["x-a"] = "1"', [['request', 'headers']]],
  ["context['envs']['query']", [['envs', 'query']]],
  ['context?.envs?.query', [['envs', 'query']]],
  ['return { request: { ...context.request, body: "" } }', [['request']]],
  ['context.genre.name', [['genre']]],
  ['context.envs[name]', [['envs']]],
  ['const { request, genre: g } = context', [['request'], ['genre']]],
  ['if (context.envs.n) { context.response.code = 5; return context }', [['envs', 'n']]],
])('what may be read of the context is known: %s', (body, paths) => {
  expect(analysed(inHandler(body)).contextUse).toEqual({ whole: false, paths })
})

test.each([
  inHandler('return JSON.stringify(context)'),
  inHandler('return { ...context }'),
  inHandler('const { a, ...rest } = context'),
  inHandler('const { [name]: a } = context'),
  inHandler('return context[name]'),
  inHandler('const c = context'),
  inHandler('eval("context")'),
  'function handleRequest(given) { return given.a }',
  'function handleRequest() { return arguments[0] }',
  'function helper() { return context } function handleRequest() { helper() }',
  'const again = () => handleRequest(); function handleRequest() { return context }',
])('a context that goes elsewhere crosses whole: %s', (text) => {
  expect(analysed(text).contextUse.whole).toBe(true)
})

test.each<[text: string, names: string[]]>([
  ['x = 1', ['x']],
  ['var x; x = 1', []],
  ['function f() { y = 1; var y }', []],
  ['function f() { y++ } let y', []],
  ['for (i = 0; i < 3; i++) {} for (const k of []) {} for (j in {}) {}', ['i', 'j']],
  ['{ let a } a = 1', ['a']],
  ['{ var a } a = 1', []],
  ['({ a, b: [c = 1, ...d] } = {})', ['a', 'c', 'd']],
  ['try {} catch (e) { e = 1 } e = 2', ['e']],
  ['const f = function g() { g = 1 }; class A { m(p) { p = 1; A = 2 } }', []],
  ['o.x = 1', []],
])('names that are assigned but not declared are found: %s', (text, names) => {
  expect([...analysed(text).implicitGlobals.keys()]).toEqual(names)
})

test('a syntax error says what and where', () => {
  expect(analyseScript('function handleRequest() {\n  return {{\n}')).toEqual({
    ok: false,
    message: 'Unexpected token',
    at: { line: 2, column: 11 },
  })
})
