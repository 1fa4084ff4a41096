import { expect, test } from 'vitest'
import type { Context } from '../contract/context.ts'
import { diffContexts } from './diff.ts'

const context = (more: Record<string, unknown> = {}, body = ''): Context => ({
  request: { method: 'POST', url: '/', headers: {}, body },
  response: { code: 200, headers: {}, body: '' },
  envs: {},
  ...more,
})
const diff = (a: unknown, b: unknown) => diffContexts(context({ x: a }), context({ x: b })).changes

test('keys that come, go and change are listed with their path and JSON text', () => {
  expect(diff({ a: 1, b: [true], c: 'x' }, { a: 1, b: [false, null], d: { e: 1 } })).toEqual([
    { kind: 'changed', path: ['x', 'b', 0], before: 'true', after: 'false' },
    { kind: 'added', path: ['x', 'b', 1], after: 'null' },
    { kind: 'removed', path: ['x', 'c'], before: '"x"' },
    { kind: 'added', path: ['x', 'd'], after: '{"e":1}' },
  ])
})

test('a text that holds JSON is compared by what it holds, and says where the JSON begins', () => {
  expect(
    diffContexts(context({}, '{"query":[{"size":1}]}'), context({}, '{ "query": [{"size":2}]}')),
  ).toEqual({
    changes: [
      {
        kind: 'changed',
        path: ['request', 'body', 'query', 0, 'size'],
        jsonFrom: 2,
        before: '1',
        after: '2',
      },
    ],
    cut: false,
  })
})

test('JSON lines are compared line by line', () => {
  expect(diff('{"index":"a"}\n{"size":1}\n', '{"index":"a"}\n{"size":2}\n')).toEqual([
    { kind: 'changed', path: ['x', 1, 'size'], jsonFrom: 1, before: '1', after: '2' },
  ])
})

test('a long integer keeps its digits, and a change by rounding alone comes with a warning', () => {
  const [change, ...rest] = diff('{"id":9007199254740993,"n":7}', '{"id":9007199254740992,"n":7}')
  expect([change?.before, change?.after, change?.warning?.includes('precision'), rest]).toEqual([
    '9007199254740993',
    '9007199254740992',
    true,
    [],
  ])
})

test('a true change of a long integer has no warning', () => {
  expect(diff('{"id":9007199254740993}', '{"id":1007199254740993}')).toEqual([
    {
      kind: 'changed',
      path: ['x', 'id'],
      jsonFrom: 1,
      before: '9007199254740993',
      after: '1007199254740993',
    },
  ])
})

test.each([
  ['{"price":1.50}', '{"price":1.5}'],
  ['{"price":1e3,"id":9007199254740993}', '{"price":1000,"id":9007199254740993}'],
  ['{"a":0.10000000000000000000}', '{"a":0.1}'],
])('%s and %s differ in their spelling only, which is one change of the text', (before, after) => {
  expect(diff(before, after)).toEqual([
    { kind: 'changed', path: ['x'], before: JSON.stringify(before), after: JSON.stringify(after) },
  ])
})

test('a hit that is taken out of a list is one removal', () => {
  const hits = ['a', 'b', 'c'].map((_id) => ({ _id, _score: 1 }))
  expect(diff(hits, [hits[0], hits[2]])).toEqual([
    { kind: 'removed', path: ['x', 1], before: '{"_id":"b","_score":1}' },
  ])
})

test('texts beyond two million characters are not looked into', () => {
  const long = `{"a":"${'x'.repeat(1_100_000)}"}`
  const [change, ...rest] = diff(long, long.replace('a', 'b'))
  expect([change?.path, change?.before?.endsWith('… (1100008 characters)"'), rest]).toEqual([
    ['x'],
    true,
    [],
  ])
})

test('more changes than anyone reads are cut, and it says so', () => {
  const [ones, twos] = [1, 2].map((value) => Array.from({ length: 2_000 }, () => value))
  const { changes, cut } = diffContexts(context({ x: ones }), context({ x: twos }))
  expect([changes.length, cut]).toEqual([500, true])
})

test('equal contexts have no changes', () => {
  expect(diff({ a: [1, { b: 'c' }] }, { a: [1, { b: 'c' }] })).toEqual([])
})

test('a text nested without an end is compared as text', () => {
  const lists = (inside: string) => `${'['.repeat(20_000)}${inside}${']'.repeat(20_000)}`
  const { changes } = diffContexts(context({}, lists('1')), context({}, lists('2')))
  expect(changes).toMatchObject([{ kind: 'changed', path: ['request', 'body'] }])
})
