import { expect, test } from 'vitest'
import { PipelineDefinition } from '../contract/pipeline.ts'
import { envKeysRead } from './env-keys-read.ts'

const read = (definition: object, scripts: readonly string[] = []) =>
  envKeysRead(
    PipelineDefinition.parse({
      routes: [{ path: '/x', method: 'GET' }],
      stages: [{ use: 'customData' }],
      ...definition,
    }),
    scripts,
    ['KEY', 'other.key'],
  )

test.each<[string, object, string[], string[]]>([
  ['a script file', {}, ['context.envs.KEY'], ['KEY']],
  ['an inline script', { stages: [{ id: 'a', script: 'envs["other.key"]' }] }, [], ['other.key']],
  [
    'a nested input',
    { stages: [{ use: 'a', inputs: { x: [{ y: 'a {{envs.KEY}}' }] } }] },
    [],
    ['KEY'],
  ],
  [
    'a stage trigger',
    { stages: [{ use: 'a', trigger: { expression: 'envs.KEY == 1' } }] },
    [],
    ['KEY'],
  ],
  ['the trigger', { trigger: { type: 'always', expression: 'envs.KEY' } }, [], ['KEY']],
  [
    'a check',
    { global_envs: [{ key: 'a', value: 'b', validate: { url: 'x/${KEY}' } }] },
    [],
    ['KEY'],
  ],
])('%s reads what it names', (_place, definition, scripts, keys) => {
  expect(read(definition, scripts)).toEqual(keys)
})

test.each<[string, object, string[]]>([
  ['a part of a longer word', {}, ['context.envs.KEY_2 + MY_KEY + $KEY']],
  ['text that is no template', { stages: [{ use: 'a', inputs: { x: 'KEY' } }] }, []],
  ['what its own envs have', { envs: { KEY: 1 } }, ['context.envs.KEY']],
  ['setting it', { global_envs: [{ key: 'KEY', value: 'KEY' }] }, []],
])('%s is no reading', (_place, definition, scripts) => {
  expect(read(definition, scripts)).toEqual([])
})
