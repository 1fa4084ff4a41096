import { expect, test } from 'vitest'
import { parsePipeline } from './parse-pipeline.ts'

/** What is reported of a pipeline with this route and this trigger, with the places. */
const check = (trigger: string, { path = '/nightly', classify = '' } = {}) =>
  parsePipeline(
    {
      path: 'p.yaml',
      text: `routes:
  - path: ${path}
    method: POST
    classify: {${classify}}
trigger:
  ${trigger.replaceAll('\n', '\n  ')}
stages:
  - id: a
    script: function handleRequest() {}
`,
    },
    { stages: [], resolveScript: () => ({ candidates: [] }) },
  ).diagnostics.map(({ severity, code, source }) => [severity, code, source.line, source.column])

const DOCS = { classify: 'category: docs, acl: bulk' }
const OTHER = { classify: 'category: docs, acl: get' }

test.each([
  ["type: cron\nexpression: '0 3 * * *'", OTHER, []],
  ["type: cron\nexpression: '0 25 * * *'", OTHER, [['error', 'bad-schedule', 7, 18]]],
  ['type: cron\nexpression: CRON_TZ=Mars/X @daily', OTHER, [['error', 'bad-schedule', 7, 15]]],
  ['type: cron', OTHER, [['error', 'missing-key', 6, 9]]],
  [
    "type: cron\nexpression: '@daily'",
    { ...OTHER, path: '/{index}/x' },
    [['warning', 'scheduled-parameter', 2, 11]],
  ],
  ['type: index', DOCS, []],
  ['type: index', OTHER, [['warning', 'index-trigger', 6, 9]]],
  ['type: index\nexpression: $index == "a"', DOCS, []],
  ['type: index\nexpression: $query == "a"', DOCS, [['error', 'bad-expression', 7, 15]]],
  ['type: index\nexpression: $filter.a == "a"', DOCS, [['error', 'bad-expression', 7, 15]]],
  ['type: query', OTHER, [['error', 'missing-key', 6, 9]]],
  ['type: query\nexpression: $query =="a" AND', OTHER, [['error', 'bad-expression', 7, 31]]],
  ['expression: $path == 5', OTHER, [['error', 'bad-expression', 6, 15]]],
  ['expression: $pth == "a"', OTHER, [['error', 'bad-expression', 6, 15]]],
  ['expression: envs.a matches "("', OTHER, [['error', 'bad-expression', 6, 30]]],
  ['timeframe: {start_time: soon}', OTHER, [['error', 'bad-time', 6, 27]]],
  ['timeframe: {start_time: 2, end_time: 1}', OTHER, [['warning', 'empty-timeframe', 6, 40]]],
])('a trigger with %j is told what is wrong, and where', (trigger, route, expected) => {
  expect(check(trigger, route)).toEqual(expected)
})
