import { expect, test } from 'vitest'
import { evaluate, holds } from './evaluate.ts'
import { errorIn, explain, summarise } from './explain.ts'
import { parseExpression } from './parse.ts'
import { ExpressionError } from './tokens.ts'

const scope: Record<string, unknown> = {
  $query: 'Harry Potter',
  $index: ['movies', 'Books-2026', '*'],
  $filter: { Brand: ['Sony', 'LG'], year: 1999, 'a.b': 'x', a__b: 'x' },
  envs: { index: ['movies'], category: 'ReActive', n: 3, tags: [{ name: 'a', size: 1 }] },
  context: { request: { body: 'needle in hay' }, es: null },
  inputs: { size: 10 },
}
const ask = (text: string) => holds(parseExpression(text), (name) => scope[name])
const valueOf = (text: string) => evaluate(parseExpression(text), (name) => scope[name])
const failureOf = (text: string) => {
  try {
    return `no failure: ${String(valueOf(text))}`
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return `${text.slice(error.start, error.end)} | ${error.message}`
  }
}

test.each([
  // rule words, compared without case
  ['$query exactlyMatches "harry potter"', true],
  ['$query doesNotMatch "harry potter"', false],
  ['$query contains "HARRY"', true],
  ['$query doesNotContain "ron"', true],
  ['$query startsWith "harry"', true],
  ['$query doesNotStartWith "ron"', true],
  ['$query endsWith "POTTER"', true],
  ['$query doesNotEndWith "potter"', false],
  ['$query regularExpressionMatch "^harry\\\\s"', true],
  ['$index exactlyMatches "MOVIES"', true],
  ['$index doesNotMatch "movies"', false],
  ['$index startsWith "books"', true],
  ['$index exactlyMatches "*"', true],
  ['"movies" in $index', true],
  ['$filter.Brand exactlyMatches "sony"', true],
  ['$filter["a.b"] == "X" AND $filter.a__b == "x"', true],
  ['$filter.year exactlyMatches "1999"', true],
  ['$filter.missing exactlyMatches "x"', false],
  ['$filter.missing contains "x"', false],
  ['$query exactlyMatches "x" OR ($query contains "potter" AND NOT $query contains "ron")', true],
  // the other words, exact
  ['"movies" in envs.index', true],
  ['"movies" not in envs.index', false],
  ['envs.category == "reactive"', false],
  ['envs.category matches "^Re"', true],
  ['envs.category matches "^re"', false],
  ['context.request.body contains "needle"', true],
  ['envs.n >= 3 and envs.n < 4 && !(envs.n > 3)', true],
  ['not envs.n == 4', true],
  ['not not (envs.n == 3)', true],
  ['envs.n > 2 ? envs.category == "ReActive" : false', true],
  ['len(envs.index) == 1 || len("abc") == 0', true],
  ['any(envs.tags, {.size == 1 and #.name == "a"})', true],
  ['all(envs.tags, #.size > 1)', false],
  ['none(envs.tags, {#.size > 1})', true],
  ['map(envs.tags, {.name}) == ["a"]', true],
  ['len(filter(envs.tags, .size > 0)) == 1', true],
  ['any($index, # == "MOVIES")', true],
  ['{a: 1, "b": [2]} == {b: [2], a: 1}', true],
  ['"b" in {b: 1}', true],
  ['envs.index[0] == "movies" and envs.index[-1] == `movies`', true],
  ['context.es?.body == nil', true],
  ['envs.constructor == nil', true],
  ['1_000 == 1000 and -1.5e1 < 0 and "it\\u0027s\\n" == "it\'s\n"', true],
])('%s is %s', (text, expected) => {
  expect(ask(text)).toBe(expected)
})

test.each([
  ['', ' | The expression is empty'],
  ['a ==', ' | The expression ends where a value is expected'],
  ['a = 1', '= | A single = means nothing here; compare with =='],
  ['"abc', '" | The text that begins with " is not closed'],
  ['a b', 'b | "b" stands where the end, AND or OR is expected'],
  ['count(a)', 'count | There is no function count(); there are len, any, all, none, filter, map'],
  [
    '# == 1',
    '# | # stands for an element and is allowed only inside any(), all(), none(), filter() and map()',
  ],
  [
    'context.es.body',
    'context.es.body | "body" cannot be read, because what stands before it is nil',
  ],
  ['envs.n and true', 'envs.n | "envs.n" must be true or false, but it is 3'],
  ['envs.n < "a"', 'envs.n < "a" | 3 and a text cannot be put in order'],
  [
    '"a" in "abc"',
    '"abc" | "in" needs a list or a map on its right side, but it got a text; to search a text write contains',
  ],
])('%s fails and says where and why', (text, expected) => {
  expect(failureOf(text)).toBe(expected)
})

test('a condition that is neither true nor false is refused', () => {
  expect(() => ask('envs.n')).toThrow('The expression must be true or false, but it is 3')
})

test('a regular expression that does not compile is refused when the text is parsed', () => {
  expect(() => parseExpression('envs.a matches "("')).toThrow('does not compile')
})

test('a regular expression made to backtrack takes linear time', () => {
  const expression = parseExpression('envs.text matches "^(a+)+$"')
  expect(holds(expression, () => ({ text: `${'a'.repeat(20_000)}b` }))).toBe(false)
})

test('nested closures over long lists are given up instead of holding the process', () => {
  const list = Array.from({ length: 2_000 }, () => 1)
  const expression = parseExpression('all(envs, {all(envs, {# == 1})})')
  expect(() => holds(expression, (name) => (name === 'envs' ? list : undefined))).toThrow('steps')
})

test('an explanation gives the value of every part and leaves out what was not needed', () => {
  const expression = parseExpression('envs.n == 3 and (envs.category == "x" or envs.n > 5)')
  const { value, parts } = explain(expression, (name) => scope[name])
  expect([value, parts.map((part) => [part.text, part.value])]).toEqual([
    'false',
    [
      ['envs.n == 3', 'true'],
      ['envs.category == "x" or envs.n > 5', 'false'],
    ],
  ])
})

test('the reads of an expression are told in one line', () => {
  const expression = parseExpression('context.request.body == "no" and not (envs.n == 3)')
  expect(summarise(explain(expression, (name) => scope[name]))).toBe(
    'context.request.body = "needle in hay"',
  )
})

test('an expression that fails is explained with its error', () => {
  const part = explain(parseExpression('context.es.body == 1'), (name) => scope[name])
  expect([part.value, errorIn(part)]).toEqual([undefined, expect.stringContaining('nil')])
})
