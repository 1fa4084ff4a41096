import { expect, test } from 'vitest'
import { sealEnvValues } from './seal-env-values.ts'

const YAML = `# the shop
global_envs:
  - key: PLAIN   # theirs
    value: sk-1 # do not tell
  - { value: 'sk-2', key: FLOW }
  - key: BLOCK
    value: |
      sk-3
      more
    label: x
  - key: NAMED
    value: \${{TOKEN}}
  - key: KEPT
    value: "••••"
  - key: NUMBER
    value: 4711
stages: [] # sk is no secret
`

test('values are dots and everything else stays byte for byte', () => {
  expect(sealEnvValues(YAML)).toEqual({
    text: YAML.replace('sk-1 #', '"••••" #')
      .replace("'sk-2'", '"••••"')
      .replace('|\n      sk-3\n      more\n', '"••••"\n')
      .replace('4711', '"••••"'),
    unsealable: [],
  })
})

test('JSON stays JSON', () => {
  const text = '{ "global_envs": [ {"key":"K", "value": "s\\"k" } ],\n\t"stages": [] }'
  const sealed = sealEnvValues(text)
  expect(sealed.text).toBe(text.replace('"s\\"k"', '"••••"'))
  expect(JSON.parse(sealed.text)).toMatchObject({ global_envs: [{ value: '••••' }] })
})

test('a value that comes by a merge is named, too', () => {
  const text = 'x: &entry { key: K, value: sk-1 }\nglobal_envs:\n  - <<: *entry\n'
  expect(sealEnvValues(text)).toEqual({ text, unsealable: ['K'] })
})

test('a value behind an anchor is named, for its text stands elsewhere', () => {
  const text = 'x: &secret sk-1\nglobal_envs:\n  - key: K\n    value: *secret\n'
  expect(sealEnvValues(text)).toEqual({ text, unsealable: ['K'] })
})

test('a key written with escapes is found', () => {
  for (const key of ['"global\\x5fenvs"', '"global\\u005fenvs"', '? "global_\\\n  envs"\n'])
    expect(sealEnvValues(`${key}: [{ key: K, value: sk-1 }]\n`).text).toBe(
      `${key}: [{ key: K, value: "••••" }]\n`,
    )
  const json = String.raw`{"global\u005fenvs":[{"key":"K","value":"sk-1"}]}`
  expect(sealEnvValues(json).text).toBe(json.replace('sk-1', '••••'))
})

test('a value that is merged in where it stands is named, too', () => {
  for (const text of [
    '<<: { global_envs: [{ key: K, value: sk-1 }] }\n',
    'global_envs:\n  - { key: K, <<: { value: sk-1 } }\n',
  ])
    expect(sealEnvValues(text)).toEqual({ text, unsealable: ['K'] })
})

test('texts without variables, or that are no pipelines, come back as they are', () => {
  for (const text of ['stages: []', 'global_envs: [', 'global_envs: 5', '['.repeat(20_000)])
    expect(sealEnvValues(text).text).toBe(text)
})
