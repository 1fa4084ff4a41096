import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRenderer } from '../../scripts/build-renderer.ts'
import { until } from './support/launch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-start-'))
beforeAll(() => buildRenderer())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('without a display it prints an address that answers, and why; Ctrl+C ends everything', async () => {
  const started = startSluice(['--port', '0'], {})
  await until(() => started.out().includes('Ctrl+C stops everything'), 'the address', 60_000)
  expect(started.out()).toContain('Electron was not used: there is no display')
  const addresses = [...started.out().matchAll(/http:\/\/127\.0\.0\.1:\d+/g)].map(([url]) => url)
  expect(addresses).toHaveLength(3)
  const [workbench = '', ...others] = addresses
  const page = await fetch(workbench)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Sluice')])
  expect(await Promise.all(others.map(answers))).toEqual([true, true])

  // A terminal sends it to the whole group, and npm passes it on once more.
  process.kill(-started.pid, 'SIGINT')
  process.kill(started.pid, 'SIGINT')
  expect(await started.code).toBe(0)
  expect(await Promise.all(addresses.map(answers))).toEqual([false, false, false])
})

test('a port that is taken is one line and code 2', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const engine = ['--engine', 'http://127.0.0.1:9']
  const started = startSluice(['--port', String(port), ...engine], {})
  expect(await started.code).toBe(2)
  expect(started.err().trim()).toMatch(new RegExp(`^sluice: Port ${port} is in use.*--port$`))
  other.close()
})

test('with a display and an Electron it opens the shell, with the flags for the gateway', async () => {
  const args = join(folder, 'args')
  const SLUICE_ELECTRON = program('electron-well', `printf '%s\\n' "$@" > '${args}'`)
  const started = startSluice(['--port', '0'], { DISPLAY: ':99', SLUICE_ELECTRON })
  expect(await started.code).toBe(0)
  const passed = readFileSync(args, 'utf8').trim().split('\n')
  const app = join(root, 'dist/electron')
  expect(passed.slice(passed.indexOf(app))).toEqual([app, '--gateway', ...started.flags])
})

test('an Electron that cannot start gives way to the browser', async () => {
  const seen = join(folder, 'seen')
  program('xdg-open', `printf '%s' "$1" > '${seen}'`)
  const SLUICE_ELECTRON = program('electron-bad', 'exit 127')
  const started = startSluice(['--port', '0'], { DISPLAY: ':99', SLUICE_ELECTRON })
  await until(() => started.out().includes('Ctrl+C stops everything'), 'the address', 60_000)
  expect(started.out()).toContain('Electron was not used: it ended with code 127 at once')
  expect(started.out()).toContain(readFileSync(seen, 'utf8'))
  expect(readFileSync(seen, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/)
  process.kill(started.pid, 'SIGTERM')
  expect(await started.code).toBe(0)
})

test('an Electron named by hand that is not there is said', async () => {
  const SLUICE_ELECTRON = join(folder, 'nowhere')
  const started = startSluice(['--port', '0'], { DISPLAY: ':99', SLUICE_ELECTRON })
  await until(() => started.out().includes('Electron was not used'), 'the reason', 60_000)
  expect(started.out()).toContain(`SLUICE_ELECTRON names ${SLUICE_ELECTRON}, which does not exist`)
  process.kill(started.pid, 'SIGTERM')
  expect(await started.code).toBe(0)
})

test('an old Node is told which one is needed', async () => {
  const pretend = 'Object.defineProperty(process, "versions", { value: { node: "20.1.0" } })'
  const before = `data:text/javascript,${encodeURIComponent(pretend)}`
  const flags = ['--import', before, '--import', './scripts/require-node.js', 'scripts/start.ts']
  const child = spawn(process.execPath, flags, { cwd: root })
  let err = ''
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
  expect(err).toContain('Sluice needs Node 26, and this is Node 20.1.0')
})

test('SIGTERM for npm, which reaches only the shell between, ends everything', async () => {
  const npm = { npm_lifecycle_event: 'start' }
  const started = startSluice(['--port', '0'], npm, ['sh', '-c', '"$@"; exit $?', 'sh'])
  await until(() => started.out().includes('Ctrl+C stops everything'), 'the address', 60_000)
  const [workbench = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(started.out()) ?? []
  expect(await answers(workbench)).toBe(true)
  process.kill(started.pid, 'SIGTERM')
  await until(async () => !(await answers(workbench)), 'nothing answers', 20_000)
})

let count = 0

/** `npm start` on data of its own; programs of this file come first on its path. */
function startSluice(
  flags: readonly string[],
  env: Record<string, string>,
  [command = process.execPath, ...before]: readonly string[] = [],
) {
  const own = [...flags, '--data', join(folder, `data-${count++}`)]
  const { DISPLAY: _, WAYLAND_DISPLAY: __, SLUICE_ELECTRON: ___, PATH, ...rest } = process.env
  const start = ['scripts/start.ts', ...own]
  const args = before.length > 0 ? [...before, process.execPath, ...start] : start
  const child = spawn(command, args, {
    cwd: root,
    env: { ...rest, PATH: `${folder}:${PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { pid: child.pid ?? 0, flags: own, code, out: () => out, err: () => err }
}

/** A program of a few lines of shell, by its path. */
function program(name: string, script: string) {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )
