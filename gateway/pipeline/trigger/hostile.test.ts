import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTypeProblems } from './check-types.ts'
import { evaluate } from './evaluate.ts'
import { explain } from './explain.ts'
import { parseExpression } from './parse.ts'
import { ExpressionError } from './tokens.ts'

/** Whether reading and evaluating goes well or fails with the own error; anything else is thrown. */
function survives(text: string, values: Record<string, unknown> = {}) {
  try {
    const expression = parseExpression(text)
    findTypeProblems(expression)
    explain(expression, (name) => values[name])
    evaluate(expression, (name) => values[name])
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return error.message
  }
  return 'evaluated'
}

/** A fast generator of pseudo-random numbers, so that 100,000 inputs cost seconds; mulberry32. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const WORDS = [
  ...`$query $index $filter envs context a.b . [ ] ( ) { } "x" ' " \` 1 - ! and or not NOT`.split(
    ' ',
  ),
  ...'in contains matches == < >= ? : , # \\ any( len( map( filter( all( nil true $ && || ?.'.split(
    ' ',
  ),
  ...'exactlyMatches doesNotMatch startsWith "(a" "^x+$" 0 -1 9e9 1e999 \u{1F600} \ud800'.split(
    ' ',
  ),
]
const VALUES: unknown[] = [
  undefined, null, true, 0, -1, Number.NaN, '', 'x', 'X y', '(', [], ['x', 1, null], {}, { x: 1 },
  { toString: 1, valueOf: 2 }, { __proto__: null, x: [] }, [[[['x']]]], [{ b: 1 }, { b: 'x' }],
] // prettier-ignore

/** Nobody reads these errors' stacks, and writing them down takes most of the time. */
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

test('100,000 random expressions over random values fail with the own error or not at all', () => {
  const random = createRandom(20_261_121)
  const pick = <T>(list: readonly T[]) => list[random(list.length)]
  const anyCharacter = () => String.fromCharCode(random(random(8) === 0 ? 65_536 : 128))
  let evaluated = 0
  for (let run = 0; run < 100_000; run++) {
    const word = run % 10 === 0 ? anyCharacter : () => pick(WORDS)
    const words = Array.from({ length: 1 + random(9) }, word)
    const values = Object.fromEntries(
      ['$query', '$index', '$filter', 'envs', 'context'].map((name) => [name, pick(VALUES)]),
    )
    if (survives(words.join(random(4) === 0 ? '' : ' '), values) === 'evaluated') evaluated++
  }
  expect(evaluated).toBeGreaterThan(1_000)
})

test.each([
  '{left} == {right}',
  '{left} in {right}',
  '{left} contains {right}',
  '{left} < {right}',
  '{left} matches {right}',
  '{left}[{right}]',
  '{left} startsWith {right}',
  'len({left})',
  'any({left}, {# == {right}})',
  'map({left}, {#.b})',
  '{left} ? {right} : {left}',
  '{left}.x.y',
  '$query exactlyMatches {right}',
  '$filter in {right}',
  '$index >= {right}',
  '{"a": {left}} == {right}',
])('%s takes whatever values it gets', (form) => {
  for (const left of VALUES)
    for (const right of VALUES)
      expect(
        survives(form.replaceAll('{left}', 'envs').replaceAll('{right}', 'context'), {
          envs: left, context: right, $query: left, $filter: left, $index: [left],
        }), // prettier-ignore
      ).toEqual(expect.any(String))
})

const MANY = 100_000
test.each([
  ['round brackets', '('.repeat(MANY)],
  ['square brackets', '['.repeat(MANY)],
  ['braces', '{a:'.repeat(MANY)],
  ['indices', `a${'[0]'.repeat(MANY)}`],
  ['nested indices', 'a['.repeat(MANY)],
  ['closures', 'any(a, {'.repeat(MANY)],
  ['negations', `${'not '.repeat(MANY)}true`],
  ['marks', `${'!'.repeat(MANY)}true`],
  ['signs', `${'-'.repeat(MANY)}1`],
  ['members', `a${'.b'.repeat(MANY)}`],
  ['links', `true${' and true'.repeat(MANY)}`],
  ['comparisons', `1${' == 1'.repeat(MANY)}`],
  ['choices', `${'true ? true : '.repeat(MANY)}true`],
  ['items', `[${'1,'.repeat(MANY)}]`],
  ['letters of a text', `"${'\\n'.repeat(MANY)}`],
  ['letters of a name', 'a'.repeat(MANY * 10)],
])('100,000 %s are refused at once and overflow nothing', (_name, text) => {
  const start = performance.now()
  expect(survives(text)).toMatch(/limit is|too deeply|too many|expected|not closed|true or false/)
  // Five times what it may take.
  expect(performance.now() - start).toBeLessThan(500)
})

test.each([
  ['brackets', (n: number) => `${'('.repeat(n)}true${')'.repeat(n)}`, 99],
  ['links', (n: number) => `true${' and true'.repeat(n)}`, 1_000],
  ['members', (n: number) => `envs${'?.b'.repeat(n)} == nil`, 999],
  ['characters', (n: number) => `"${'x'.repeat(n - 7)}" != 1`, 100_000],
])('as many %s as are allowed still work, and one more does not', (_name, write, most) => {
  expect([survives(write(most)), survives(write(most + 1))]).toEqual([
    'evaluated',
    expect.stringMatching(/limit is|too deeply|too many/),
  ])
})

/** `[[[…]]]`, deeper than any stack. */
function nested(levels: number) {
  let value: unknown[] = []
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

test.each(['envs == context', 'envs in [context]', '$filter contains envs', 'envs == [context]'])(
  '%s does not follow values down for ever',
  (text) => {
    const values = { envs: nested(MANY), context: nested(MANY), $filter: nested(MANY) }
    expect(survives(text, values)).toMatch(/too deeply|evaluated|A text is needed/)
  },
)

test('long texts are given up, too, when a regular expression would go through them again and again', () => {
  const text = 'lorem ipsum '.repeat(100_000)
  const values = { envs: Array.from({ length: 50 }, () => text), context: text }
  const start = performance.now()
  expect(survives('any(envs, {# matches "(?i)price"})', values)).toContain('steps')
  expect(survives('context matches "(?i)price"', values)).toBe('evaluated')
  expect(survives('any(envs, {# contains "price"})', values)).toBe('evaluated')
  expect(performance.now() - start).toBeLessThan(20_000)
})

test('long lists are given up instead of holding the process', () => {
  const list = Array.from({ length: 2_000 }, (_, at) => at)
  expect(survives('all(envs, {all(envs, {# >= 0})})', { envs: list })).toContain('steps')
  expect(survives('all(envs, {-1 not in context})', { envs: list, context: list })).toContain(
    'steps',
  )
})

test.each([
  ['one made to backtrack', '^(a+)+$', 'a'.repeat(50_000)],
  ['many alternatives', '(a|aa|aaa|b)*c', 'a'.repeat(50_000)],
  ['counted repetition', '(x{1,30}){1,30}y', 'x'.repeat(5_000)],
])('a regular expression with %s takes linear time', (_name, pattern, text) => {
  const start = performance.now()
  survives('envs matches context', { envs: text, context: pattern })
  expect(performance.now() - start).toBeLessThan(5_000)
})

test('a regular expression from a request may not be long, and not grow when compiled', () => {
  const with_ = (pattern: string) =>
    survives('envs matches context', { envs: 'x', context: pattern })
  expect(with_('x'.repeat(1_001))).toContain('the limit is 1000')
  expect(with_('((x{1000}){1000}){1000}')).toContain('does not compile')
})
