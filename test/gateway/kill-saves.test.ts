import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSqliteState } from '../../gateway/state/sqlite.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { startSluice, type Sluice } from '../support/start-sluice.ts'

/** More of them by hand: SLUICE_KILLS=100. */
const KILLS = Number(process.env['SLUICE_KILLS'] ?? 8)
const SCRIPTS = Array.from({ length: 10 }, (_, at) => `lib/script-${at}.js`)
/** Long enough that writing it takes more than one page. */
const PADDING = '// padding\n'.repeat(2_000)

const yaml = (number: number) => `# save ${number}
id: saved
routes: [{ path: /saved, method: GET }]
stages:
${SCRIPTS.map((name) => `  - { id: s-${name.replace(/\W/g, '-')}, scriptRef: ${name} }\n`).join('')}# end ${number}
`
const script = (number: number) =>
  `// save ${number}\n${PADDING}function handleRequest() {}\n// end ${number}\n`
const formOf = (number: number) => ({
  pipeline: { text: yaml(number), fileName: 'saved.yaml' },
  ...Object.fromEntries(
    SCRIPTS.map((name) => [name, { text: script(number), fileName: 'script.js' }]),
  ),
})

type Kind = 'save' | 'version' | 'variable'

interface Sent {
  /** Number of the last save that was sent, and of the last that was acknowledged. */
  sent: number
  acknowledged: number
  versions: number[]
  envs: number[]
  /** What is under way, and how long each took the last time. */
  doing?: Kind
  tookMs: Record<Kind, number>
}

/** Saves one after another until the gateway is gone. */
async function saveUntilKilled(sluice: Sluice, state: Sent) {
  const call = async (kind: Kind, ...args: [method: string, path: string, init: object]) => {
    const start = performance.now()
    state.doing = kind
    const { status, body } = await callApi(sluice, ...args)
    delete state.doing
    state.tookMs[kind] = performance.now() - start
    expect([200, 201], JSON.stringify(body)).toContain(status)
  }
  for (;;) {
    const number = ++state.sent
    const form = formOf(number)
    if (number === 1) await call('save', 'POST', '/_pipeline', { form })
    else await call('save', 'PUT', '/_pipeline/saved', { form })
    state.acknowledged = number
    await call('version', 'POST', '/_pipeline/saved/version', { form })
    state.versions.push(number)
    const json = { key: `KEY_${number}`, value: `${number}` }
    await call('variable', 'POST', '/_pipelines/env', { json })
    state.envs.push(number)
  }
}

/** Kills the gateway at a random moment of one call of this kind. */
async function killWithin(kind: Kind, sluice: Sluice, state: Sent) {
  while (state.doing !== kind) await nextTurn()
  await sleep(Math.random() * state.tookMs[kind] * 1.1)
  const isWithin = state.doing === kind
  sluice.child.kill('SIGKILL')
  await sluice.ended
  return isWithin
}

/** Every file that is there is whole: its first line and its last are of one save. */
function expectWholeFiles(dir: string) {
  for (const path of globSync('pipelines/**/*.{yaml,js}', { cwd: dir })) {
    const text = readFileSync(join(dir, path), 'utf8')
    const number = /save (\d+)/.exec(text)?.[1]
    expect(text, path).toBe(path.endsWith('.js') ? script(Number(number)) : yaml(Number(number)))
  }
}

/** Saves that count and whose files are not all written: the next start has to. */
function unfinishedSaves(dir: string) {
  const state = openSqliteState(join(dir, '.sluice/state.db'))
  const kept = state.list('pipeline-versions')
  state.close()
  return kept.filter(({ value }) => Object.hasOwn(Object(value), 'pending')).length
}

async function expectKept(sluice: Sluice, state: Sent) {
  const { body } = await callApi(sluice, 'GET', '/_pipeline/saved/versions')
  const live = body.find((one: { is_live: boolean }) => one.is_live)
  const number = Number(/save (\d+)/.exec(live.content)?.[1])
  expect(number).toBeGreaterThanOrEqual(state.acknowledged)
  expect(number).toBeLessThanOrEqual(state.sent)
  expect(live.content).toBe(yaml(number))
  for (const name of SCRIPTS) {
    const path = `/_pipeline/saved/scriptRef?key=${name}`
    expect((await callApi(sluice, 'GET', path)).body.content).toBe(script(number))
  }
  const contents = new Set(body.map((one: { content: string }) => one.content))
  expect(state.versions.filter((one) => !contents.has(yaml(one)))).toEqual([])
  const envs = (await callApi(sluice, 'GET', '/_pipelines/envs')).body
  const keys = new Set(envs.map((one: { key: string }) => one.key))
  expect(state.envs.filter((one) => !keys.has(`KEY_${one}`))).toEqual([])
  state.sent = number
  state.acknowledged = number
}

test.each(['workspace', 'state store'])(
  `${KILLS} times kill -9 while a %s is saved: nothing acknowledged is lost, nothing is half`,
  async (place) => {
    using workspace = makeWorkspace({})
    const isStored = place === 'state store'
    const flags = [
      '--engine',
      'http://127.0.0.1:9',
      ...(isStored ? [] : ['--workspace', workspace.dir]),
    ]
    const start = () => startSluice(flags, { dataDir: join(workspace.dir, '.sluice') })
    const state: Sent = {
      sent: 0,
      acknowledged: 0,
      versions: [],
      envs: [],
      tookMs: { save: 0, version: 0, variable: 0 },
    }
    let killedMidway = 0
    let finishedLater = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const sluice = await start()
      if (kill > 1) await expectKept(sluice, state)
      expect(globSync('pipelines/**/*.tmp', { cwd: workspace.dir })).toEqual([])
      const saving = saveUntilKilled(sluice, state).catch((problem: unknown) => problem)
      const first = state.acknowledged + 1
      while (state.acknowledged < first) await sleep(5)
      const kind = (['save', 'save', 'version', 'variable'] as const)[kill % 4] ?? 'save'
      if (await killWithin(kind, sluice, state)) killedMidway++
      expect(await saving).toMatchObject({ message: 'fetch failed' })
      if (isStored) continue
      expectWholeFiles(workspace.dir)
      finishedLater += unfinishedSaves(workspace.dir)
    }
    const sluice = await start()
    await expectKept(sluice, state)
    await sluice.stop()
    console.info(
      `${place}: ${KILLS} kills, ${killedMidway} within a call, ${finishedLater} between the ` +
        `files of a save; ${state.sent} saves, ${state.versions.length} versions and ` +
        `${state.envs.length} variables kept`,
    )
  },
  KILLS * 20_000,
)
