import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSchedule } from '../gateway/pipeline/cron-schedule.ts'
import { findTypeProblems } from '../gateway/pipeline/trigger/check-types.ts'
import { parseExpression } from '../gateway/pipeline/trigger/parse.ts'
import { REQUEST_NAMES } from '../gateway/pipeline/trigger/request-scope.ts'

const page = readFileSync('docs/triggers.md', 'utf8')
const row = (name: string) => page.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? ''
const wordsOf = (name: string) =>
  [...row(name).matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '')

test('every expression of the page can be saved', () => {
  const [, block = ''] = /```text\n([^`]+)```/.exec(page) ?? []
  const lines = block.trim().split('\n')
  expect(lines.length).toBe(3)
  for (const line of lines) expect(findTypeProblems(parseExpression(line)), line).toEqual([])
})

test('the page names the facts of the request that there are', () => {
  expect(wordsOf('facts of the request')).toEqual([...REQUEST_NAMES])
})

test.each([
  ...wordsOf('rule words').filter((word) => !/^[A-Z]+$/.test(word)),
  ...wordsOf('comparisons'),
])('the word %s of the page compares two values', (word) => {
  const { root } = parseExpression(`envs.a ${word} envs.b`)
  expect(root.kind).toBe('compare')
})

test.each(wordsOf('functions').filter((word) => word.endsWith('()')))(
  'there is the function %s',
  (name) => {
    const call = name.replace('()', name === 'len()' ? '(envs.a)' : '(envs.a, {true})')
    expect(parseExpression(call).root.kind).toBe('call')
  },
)

test('the literals and ways to read on the page are read', () => {
  for (const text of [...wordsOf('literals'), ...wordsOf('reading')])
    expect(parseExpression(text).text).toBe(text)
})

test('the schedules of the page are read', () => {
  const nicknames = [...page.matchAll(/`(@\w+)`/g)].map(([, nickname]) => nickname ?? '')
  const [, example = ''] = /expression: '(CRON_TZ[^']+)'/.exec(page) ?? []
  expect(nicknames.length).toBe(5)
  for (const text of [...nicknames, example]) expect(parseSchedule(text).next(0)).toBeGreaterThan(0)
})
