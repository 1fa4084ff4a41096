import { expect, test } from 'vitest'
import { checkScript } from './check-script.ts'

const droppedIn = (text: string, async = true) =>
  checkScript({ stageId: 's', file: 'a.js', line: 1, column: 1, text, async })
    .filter(({ code }) => code === 'SCRIPT_WRITE_DROPPED')
    .map(({ line, column, message }) => `${line}:${column} ${/change (\w+)/.exec(message)?.[1]}`)

test.each([
  ['context.response.code = 500', ['1:1 response']],
  ['context.request.headers["x-a"] = "1"\ncontext.envs.n++', ['1:1 request', '2:1 envs']],
  ["delete context['envs'].query", ['1:8 envs']],
  [
    'function handleRequest() {\n  return { own: 1, response: { code: 500 }, envs: {} }\n}',
    ['2:20 response', '2:45 envs'],
  ],
  ['const handleResponse = async () => {\n  return { request: {} }\n}', ['2:12 request']],
])('an asynchronous script is warned that %j is dropped', (text, places) => {
  expect(droppedIn(text)).toEqual(places)
  expect(droppedIn(text, false)).toEqual([])
})

test.each([
  'context.own = { response: 1 }',
  'function handleRequest() { return { own: { response: context.response.body } } }',
  'function other() { return { response: {} } }\nfunction handleRequest() { return other().response }',
  'const { response } = context\nlet envs = 1\nenvs = response.code',
])('nothing is said about %j', (text) => {
  expect(droppedIn(text)).toEqual([])
})
