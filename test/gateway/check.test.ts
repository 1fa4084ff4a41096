import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import { runSluice } from '../support/start-sluice.ts'

test('the sample has no problems', async () => {
  const samples = fileURLToPath(new URL('../../samples', import.meta.url))
  const { code, stdout } = await runSluice(['check', samples])
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, '5 pipelines, 0 errors, 0 warnings'])
})

test('problems are printed as file:line:column, and errors make the exit code 1', async () => {
  using workspace = makeWorkspace({
    'pipelines/a.yaml':
      'routes:\n  - path: /a\n    method: POST\nstages:\n  - use: searchEngneQuery\n  - id: s\n    scriptRef: s.js\n',
    'pipelines/s.js': 'function handleRequest() {\n  return 1 +\n}\n',
  })
  const { code, stdout } = await runSluice(['check', workspace.dir])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^pipelines\/a\.yaml:5:10: error: .*searchEngineQuery.* \[unknown-use\]$/m)
})

test('dropped writes are a warning, and the manifest limits the stages', async () => {
  using workspace = makeWorkspace({
    'sluice.yaml': 'name: test\nlimits: { stages: 2 }\n',
    'pipelines/a.yaml':
      'routes:\n  - path: /a\n    method: POST\nstages:\n  - use: authorization\n  - id: s\n    async: true\n    script: |\n      function handleRequest() {\n        return { response: {} }\n      }\n',
  })
  const { code, stdout } = await runSluice(['check', workspace.dir])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^pipelines\/a\.yaml:10:18: warning: .*response.*SCRIPT_WRITE_DROPPED\]$/m)
  workspace.write('sluice.yaml', 'name: test\nlimits: { stages: 1 }\n')
  const strict = await runSluice(['check', workspace.dir])
  expect([strict.code, strict.stdout]).toEqual([
    1,
    expect.stringMatching(/a\.yaml:6:5: error.*\[too-many\]/),
  ])
})

test('a folder that is not there ends with code 2', async () => {
  const { code, stderr } = await runSluice(['check', '/nowhere/at/all'])
  expect([code, stderr.trim()]).toEqual([
    2,
    'sluice: "/nowhere/at/all" is no folder; choose the folder of a workspace',
  ])
})

test('what is no folder, or more than one, is no use of the command', async () => {
  for (const flags of [[''], ['--strict'], ['a', 'b']]) {
    const { code, stderr } = await runSluice(['check', ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining('check takes one folder')])
  }
})
