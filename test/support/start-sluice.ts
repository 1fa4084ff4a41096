import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Ready } from '../../gateway/contract/ready.ts'

const cli = fileURLToPath(new URL('../../gateway/cli.ts', import.meta.url))
const NODE_FLAGS = ['--no-node-snapshot', '--disable-warning=ExperimentalWarning']

/** A folder for one test, gone at the end of it. */
export function temporaryFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Runs the command line as a user does and waits for its end. */
export async function runSluice(args: readonly string[]) {
  const child = spawnSluice(args)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

export const spawnSluice = (args: readonly string[], ipc = false, token?: string): ChildProcess =>
  spawn(process.execPath, [...NODE_FLAGS, cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    env: { ...process.env, ...(token !== undefined && { SLUICE_TOKEN: token }) },
  })

/** A real gateway process on free ports, with its credentials. */
export async function startSluice(
  args: readonly string[] = [],
  { dataDir, ipc = false, token }: { dataDir?: string; ipc?: boolean; token?: string } = {},
) {
  const own = dataDir === undefined ? temporaryFolder() : undefined
  const data = dataDir ?? own?.dir ?? ''
  const flags = ['serve', '--port', '0', '--data', data, '--print-credentials', ...args]
  const child = spawnSluice(flags, ipc, token)
  let log = ''
  child.stderr?.on('data', (part: Buffer) => (log += part.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const line = await Promise.race([
    new Promise<string>((resolve) => {
      if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
    }),
    ended.then((code) => {
      throw new Error(`sluice serve ended with ${code}: ${log}`)
    }),
  ])
  const ready = Ready.parse(JSON.parse(line))
  const pair = Buffer.from(`${ready.username}:${ready.password}`).toString('base64')
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    const code = await ended
    own?.[Symbol.dispose]()
    return code
  }
  return {
    ...ready,
    token: ready.token ?? '',
    authorization: `Basic ${pair}`,
    dataDir: data,
    child,
    ended,
    log: () => log,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

/** A started gateway. */
export type Sluice = Awaited<ReturnType<typeof startSluice>>

/** Calls the control API of a started gateway; answers parsed JSON. */
export async function callControl(sluice: Sluice, method: string, path: string, body?: unknown) {
  const reply = await fetch(sluice.control + path, {
    method,
    headers: {
      authorization: `Bearer ${sluice.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) as unknown }
}
