import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import {
  callControl,
  runSluice,
  type Sluice,
  startSluice,
  temporaryFolder,
} from '../support/start-sluice.ts'

const engineFlags = ['--engine', 'http://127.0.0.1:9']
const SECRET = 'a-token-nobody-sees'
const MANIFEST = 'name: test\ndefaults: { environment: dev }\n'
const PIPELINE = `envs: { given: 'Bearer \${{TOKEN}}' }
routes:
  - { path: /tell, method: GET }
stages:
  - id: tell
    continueOnError: false
    script: |
      const handleRequest = () => {
        const { A, TOKEN = 'none', given } = context.envs
        return { response: { code: 200, body: [A, TOKEN.length, given.length].join() } }
      }
`

const ask = async (sluice: Sluice) => (await fetch(`${sluice.gateway}/tell`)).text()

test('a secret of an environment is set on this machine, used, masked, kept sealed and forgotten', async () => {
  using workspace = makeWorkspace({
    'sluice.yaml': MANIFEST,
    'envs/dev.yaml': 'A: 1\nTOKEN: { secret: true }\n',
    'envs/prod.yaml': 'TOKEN: { secret: true }\n',
    'pipelines/tell.yaml': PIPELINE,
  })
  using data = temporaryFolder()
  const flags = [...engineFlags, '--workspace', workspace.dir, '--trace', 'all']
  const first = await startSluice(flags, { dataDir: data.dir })
  const set = (secret: object) => callControl(first, 'PUT', '/api/workspace/secret', secret)
  // Without a value the name stays where it is written, and is reported.
  expect(await ask(first)).toBe(`1,4,${'Bearer ${{TOKEN}}'.length}`)

  const wrong = await set({ environment: 'dev', key: 'A', value: 'x' })
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('write "A: { secret: true }"') } },
  })
  expect(await set({ environment: 'dev', key: 'TOKEN', value: SECRET })).toEqual({
    status: 200,
    body: [
      { environment: 'dev', key: 'TOKEN', isSet: true },
      { environment: 'prod', key: 'TOKEN', isSet: false },
    ],
  })
  const expected = `1,${SECRET.length},${SECRET.length + 'Bearer '.length}`
  expect(await ask(first)).toBe(expected)
  const runs = (await callControl(first, 'GET', '/api/runs')).body as { runId: string }[]
  for (const { runId } of runs) {
    const trace = await callControl(first, 'GET', `/api/runs/${runId}`)
    const stage = await callControl(first, 'GET', `/api/runs/${runId}/stages/tell`)
    expect(JSON.stringify([trace, stage])).not.toContain(SECRET)
  }
  await first.stop()
  const disk = [data.dir, workspace.dir].flatMap((dir) =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')),
  )
  expect([disk.join('').includes(SECRET), first.log().includes(SECRET)]).toEqual([false, false])

  await using again = await startSluice(flags, { dataDir: data.dir })
  expect(await ask(again)).toBe(expected)
  const forgotten = { environment: 'dev', key: 'TOKEN', value: null }
  await callControl(again, 'PUT', '/api/workspace/secret', forgotten)
  expect(await ask(again)).toBe(`1,4,${'Bearer ${{TOKEN}}'.length}`)
})

test('a mistake in an environment is told with its place; its last good values go on', async () => {
  using workspace = makeWorkspace({
    'sluice.yaml': MANIFEST,
    'envs/dev.yaml': 'A: 1\n',
    'pipelines/tell.yaml': PIPELINE,
  })
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  expect(await ask(sluice)).toMatch(/^1,/)
  workspace.write('envs/dev.yaml', 'A: 2\nB: [1\n')
  const problems = async () => {
    const { body } = await callControl(sluice, 'GET', '/api/pipelines')
    return (body as { file: string; diagnostics: unknown[] }[])
      .filter(({ file }) => file === 'envs/dev.yaml')
      .flatMap(({ diagnostics }) => diagnostics)
  }
  while ((await problems()).length === 0 || !sluice.log().includes('file-unreadable'))
    await sleep(20)
  expect(await problems()).toEqual([
    expect.objectContaining({
      severity: 'error',
      code: 'unreadable',
      source: expect.objectContaining({ file: 'envs/dev.yaml', line: 3 }),
    }),
  ])
  expect(sluice.log()).toMatch(/"event":"file-unreadable","message":"envs\/dev\.yaml:3:1: /)
  expect(await ask(sluice)).toMatch(/^1,/)
  workspace.write('envs/dev.yaml', 'A: 3\n')
  while (!(await ask(sluice)).startsWith('3,')) await sleep(20)
  expect(await problems()).toEqual([])
})

test('a gateway whose environment is broken from the start serves without it', async () => {
  using workspace = makeWorkspace({
    'sluice.yaml': MANIFEST,
    'envs/dev.yaml': 'A: [1\n',
    'pipelines/tell.yaml': PIPELINE,
  })
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  expect(await ask(sluice)).toMatch(/^,4,/)
  const { code, stdout } = await runSluice(['check', workspace.dir])
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^envs\/dev\.yaml:2:1: error/m)])
})
