import { expect, test } from 'vitest'
import { z } from 'zod'
import { expressionIn } from './category-literals.ts'
import { toDialect } from './exchange/to-dialect.ts'
import { parsePipeline } from './parse-pipeline.ts'

test.each([
  ['$category == "reactivesearch"', '$category == "declarative"'],
  ["$category exactlyMatches 'reactivesearch'", "$category exactlyMatches 'declarative'"],
  ['"reactivesearch" != context.envs.category', '"declarative" != context.envs.category'],
  ['envs.category in ["docs", "reactivesearch"]', 'envs.category in ["docs", "declarative"]'],
  ['$query == "reactivesearch"', '$query == "reactivesearch"'],
  [
    '$category == "docs" && $query == "reactivesearch"',
    '$category == "docs" && $query == "reactivesearch"',
  ],
  ['$category contains "reactive"', '$category contains "reactive"'],
  ['$category == "reactivesearch', '$category == "reactivesearch'],
])('%s is read as %s', (written, read) => {
  expect(expressionIn('sluice', written)).toBe(read)
})

const text = `trigger: {expression: $category == "reactivesearch"}
routes: [{path: /a, method: GET}]
stages:
  - use: x
    trigger:
      expression: envs.category == 'reactivesearch' # ours
`

test('a pipeline of the other product compares with what requests have', () => {
  const { definition, diagnostics } = parsePipeline(
    { path: 'a.yaml', text },
    {
      stages: [{ use: 'x', summary: '-', inputs: z.object({}) }],
      resolveScript: () => ({ candidates: [] }),
    },
  )
  expect([definition?.trigger?.expression, definition?.stages[0]?.trigger?.expression]).toEqual([
    '$category == "declarative"',
    "envs.category == 'declarative'",
  ])
  expect(
    diagnostics.map(({ code, source, fix }) => [code, source.line, source.column, fix?.title]),
  ).toEqual([
    ['alias', 1, 36, 'Change to "declarative"'],
    ['alias', 6, 36, "Change to 'declarative'"],
  ])
})

test('in one expression the category and the name of a stage both change', () => {
  const source = `stages:
  - use: searchEngineQuery
    async: true
  - use: x
    trigger: {expression: '$category == "declarative" && context.searchEngineQuery != ""'}
`
  expect(toDialect({ path: 'a.yaml', text: source }, 'reference').text).toBe(
    source.replaceAll('searchEngine', 'elasticsearch').replace('declarative', 'reactivesearch'),
  )
})

test('an export has the names of its dialect in expressions, too', () => {
  const ours = text.replaceAll('reactivesearch', 'declarative')
  expect(toDialect({ path: 'a.yaml', text }, 'sluice').text).toBe(ours)
  expect(toDialect({ path: 'a.yaml', text: ours }, 'reference').text).toBe(text)
})
