import { fork, spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Ready } from '../../gateway/contract/ready.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { runSluice, startSluice, temporaryFolder } from '../support/start-sluice.ts'

const cli = fileURLToPath(new URL('../../gateway/cli.ts', import.meta.url))

test.each([
  [['serve', '--prot', '1'], /Unknown option '--prot'.*sluice serve --help/],
  [['serve', '--port', 'many'], /--port takes a number from 0 to 65535, not "many"/],
  [['serve', '--trace', '2'], /--trace takes all, off or a number from 0 to 1/],
  [['serve', '--engine', 'ftp://x'], /--engine takes "local" or an http\(s\) address/],
  [['serve', '--workspace', '/nowhere/at/all'], /Workspace ".*" does not exist/],
  [['fly'], /"fly" is no command/],
])('%j ends with code 2 and one clear line', async (args, message) => {
  const { code, stdout, stderr } = await runSluice(args)
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  expect(stderr).toMatch(message)
})

test('a manifest with a mistake ends the start with its place', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.dir, 'sluice.yaml'), 'name: x\ndata: [\n')
  const flags = ['--engine', 'http://127.0.0.1:9', '--port', '0']
  const { code, stderr } = await runSluice(['serve', '--workspace', folder.dir, ...flags])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^sluice: sluice\.yaml:\d+:\d+: /m)
})

test('a port in use is named, with the flag that changes it', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  using folder = temporaryFolder()
  const engine = ['--engine', 'http://127.0.0.1:9']
  const result = await runSluice(['serve', '--port', String(port), '--data', folder.dir, ...engine])
  taken.close()
  expect(result.code).toBe(2)
  expect(result.stderr).toMatch(new RegExp(`Port ${port} is in use.*--port`))
})

test('prints one ready line, keeps its secrets unless asked, and ends with 0 on SIGTERM', async () => {
  using folder = temporaryFolder()
  const flags = ['--no-node-snapshot', cli, 'serve', '--port', '0', '--data', folder.dir]
  const child = spawn(process.execPath, [...flags, '--engine', 'http://user:pw@127.0.0.1:9'])
  let out = ''
  let log = ''
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (log += part.toString()))
  while (!out.includes('\n')) await sleep(10)
  const line = Ready.strict().parse(JSON.parse(out))
  expect(Object.keys(line)).toEqual(['event', 'gateway', 'engine', 'control', 'pid'])
  expect(line.engine).toBe('http://127.0.0.1:9')
  expect(log).not.toContain('pw')
  process.kill(line.pid, 'SIGTERM')
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code, out.trim().split('\n').length]).toEqual([0, 1])
  for (const entry of log.trim().split('\n')) expect(JSON.parse(entry)).toHaveProperty('level')
})

test('the key file is for its owner only, and credentials survive a restart', async () => {
  using folder = temporaryFolder()
  await using engine = await startFakeEngine((_request, response) => response.end('{}'))
  const engineFlags = ['--engine', engine.url]
  const first = await startSluice(engineFlags, { dataDir: folder.dir })
  await first.stop()
  await using second = await startSluice(engineFlags, { dataDir: folder.dir })
  expect(second.password).toBe(first.password)
  expect(second.token).not.toBe(first.token)
  expect(statSync(join(folder.dir, 'secret.key')).mode & 0o777).toBe(0o600)
  const reply = await fetch(`${second.gateway}/x`, {
    headers: { authorization: first.authorization },
  })
  expect(reply.status).toBe(200)
})

test('lets a running request finish before it ends', async () => {
  await using engine = await startFakeEngine((_request, response) => {
    setTimeout(() => response.end('late but whole'), 400)
  })
  const sluice = await startSluice(['--engine', engine.url])
  const reply = fetch(`${sluice.gateway}/x`, { headers: { authorization: sluice.authorization } })
  while (engine.seen.length === 0) await sleep(5)
  const code = sluice.stop()
  expect(await (await reply).text()).toBe('late but whole')
  expect(await code).toBe(0)
})

test('stops when its IPC channel closes', async () => {
  const sluice = await startSluice(['--engine', 'http://127.0.0.1:9'], { ipc: true })
  sluice.child.disconnect()
  expect(await sluice.ended).toBe(0)
})

test('SIGTERM for the npm that started it reaches it', { timeout: 30_000 }, async () => {
  using folder = temporaryFolder()
  const flags = ['--port', '0', '--data', folder.dir, '--engine', 'http://127.0.0.1:9']
  const npm = spawn('npm', ['run', '-s', 'sluice', '--', 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await new Promise<string>((resolve) =>
    npm.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  )
  const { pid } = Ready.parse(JSON.parse(line))
  npm.kill('SIGTERM')
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
})

test('with --exit-with-parent it ends when its parent is killed', async () => {
  using folder = temporaryFolder()
  const script = join(folder.dir, 'parent.mjs')
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process'
     const flags = ${JSON.stringify([cli, 'serve', '--port', '0', '--data', folder.dir, '--engine', 'http://127.0.0.1:9', '--exit-with-parent'])}
     spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'ignore'] })
       .stdout.once('data', (line) => process.send(JSON.parse(line).pid))`,
  )
  const parent = fork(script)
  const pid = await new Promise<number>((resolve) =>
    parent.once('message', (message) => resolve(Number(message))),
  )
  parent.kill('SIGKILL')
  while (isAlive(pid)) await sleep(20)
  expect(isAlive(pid)).toBe(false)
})

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
