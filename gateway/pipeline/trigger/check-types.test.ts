import { expect, test } from 'vitest'
import { parsePipeline } from '../parse-pipeline.ts'
import { findTypeProblems } from './check-types.ts'
import { parseExpression } from './parse.ts'

const problemsOf = (text: string) =>
  findTypeProblems(parseExpression(text)).map(
    ({ start, end, message }) => `${text.slice(start, end)} | ${message}`,
  )

test.each([
  ['envs.n', []],
  ['envs.n == "1" and envs.n == 1', []],
  ['$query == 5 and $query contains 5 and $filter.year >= "1999"', []],
  ['$index == "movies" or "movies" in $index or $index contains "m"', []],
  ['envs.x == nil and nil != envs.x and $filter.x == nil', []],
  ['[1, 2] contains 1 and len($query) > 3', []],
  ['envs.a ? envs.b : false', []],
  ['$query startsWith nil', ['nil | startsWith needs a text, but nil is nil']],
  [
    'len(envs.x) == "3"',
    ['len(envs.x) == "3" | len(envs.x) is a number and "3" is a text: they are never equal'],
  ],
  ['1 == true', ['1 == true | 1 is a number and true is a boolean: they are never equal']],
  ['$path != 5', ['$path != 5 | $path is a text and 5 is a number: they are never equal']],
  [
    'len(envs.x) > "3"',
    ['len(envs.x) > "3" | len(envs.x) is a number and "3" is a text: they cannot be put in order'],
  ],
  ['true < 1', ['true | Only numbers and texts can be put in order, but true is a boolean']],
  ['5 contains "x"', ['5 | contains needs a text, but 5 is a number']],
  [
    'context.request.body contains 5',
    ['5 | contains needs a text, but 5 is a number; to look for it in a list write "in"'],
  ],
  ['envs.x endsWith 5', ['5 | endsWith needs a text, but 5 is a number']],
  [
    '"a" in "abc"',
    [
      '"abc" | "in" needs a list or a map on its right side, but "abc" is a text; to search a text write contains',
    ],
  ],
  ['len(envs.x)', ['len(envs.x) | The expression must be true or false, but it is a number']],
  ['"yes"', ['"yes" | The expression must be true or false, but it is a text']],
  [
    'filter(envs.x, # == 1)',
    ['filter(envs.x, # == 1) | The expression must be true or false, but it is a list'],
  ],
  ['len(envs.x) and true', ['len(envs.x) | len(envs.x) must be true or false, but it is a number']],
  ['not "x"', ['"x" | "x" must be true or false, but it is a text']],
  ['any(envs.x, {len(#)})', ['len(#) | len(#) must be true or false, but it is a number']],
  ['all("x", {true})', ['"x" | all() needs a list, but "x" is a text']],
  ['len(5) == 1', ['5 | len() needs a text, a list or a map, but 5 is a number']],
  ['$index["a"] == 1', ['"a" | A list is read with a whole number, but "a" is a text']],
  ['"x".y == 1', ['"x" | "y" cannot be read of "x", which is a text']],
  [
    '1 == "1" or true == 0',
    [
      '1 == "1" | 1 is a number and "1" is a text: they are never equal',
      'true == 0 | true is a boolean and 0 is a number: they are never equal',
    ],
  ],
])('%s: %j', (text, expected) => {
  expect(problemsOf(text)).toEqual(expected)
})

test('a pipeline is refused with line and column of the part that cannot work', () => {
  const text = `routes:
  - path: /x
    method: POST
trigger:
  expression: $path == "/x" and len($query) == "3"
stages:
  - id: a
    script: function handleRequest() {}
    trigger:
      expression: 'context.request.body contains 5'
`
  const { definition, diagnostics } = parsePipeline(
    { path: 'p.yaml', text },
    { stages: [], resolveScript: () => ({ candidates: [] }) },
  )
  expect(definition).toBeUndefined()
  expect(
    diagnostics.map(({ severity, code, source: { line, column, endColumn } }) => [
      severity, code, line, column, endColumn,
    ]), // prettier-ignore
  ).toEqual([
    ['error', 'bad-expression', 5, 33, 51],
    ['error', 'bad-expression', 10, 50, 51],
  ])
})
