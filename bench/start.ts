import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { childPids, residentMb } from './processes.ts'
import { GATEWAY_FLAGS } from './sluice.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const FLAGS = ['--no-node-snapshot', ...GATEWAY_FLAGS, '--disable-warning=ExperimentalWarning']

/** From exec to the ready line on later starts, with the sample movies; then memory at rest. */
export async function benchStart({ rounds }: { rounds: number }) {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  cpSync(join(root, 'samples'), dir, { recursive: true })
  const first = await start(dir)
  await untilLoaded(first.engine)
  await first.stop()
  const times: number[] = []
  let memory = ''
  for (let round = 0; round < rounds; round++) {
    const started = await start(dir)
    times.push(started.ms)
    if (round === rounds - 1) {
      await wait(5000)
      const { pid } = started
      const children = childPids(pid)
      memory = `gateway ${residentMb([pid]).toFixed(0)} MB, engine ${residentMb(children).toFixed(0)} MB, together ${residentMb([pid, ...children]).toFixed(0)} MB`
    }
    await started.stop()
  }
  const sorted = times.toSorted((a, b) => a - b)
  const shown = (ms: number | undefined) => `${(ms ?? 0).toFixed(0)} ms`
  console.log(
    `\nready after ${shown(sorted[sorted.length >> 1])} (${shown(sorted[0])}–${shown(sorted.at(-1))}), first start ${shown(first.ms)}`,
  )
  console.log(`at rest: ${memory}`)
  rmSync(dir, { recursive: true, force: true })
}

async function start(workspace: string) {
  const args = ['serve', '--port', '0', '--workspace', workspace]
  const from = performance.now()
  const child = spawn(process.execPath, [...FLAGS, join(root, 'gateway/cli.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once('line', resolve),
  )
  const ms = performance.now() - from
  const ready: { engine: string; pid: number } = JSON.parse(line)
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    process.kill(ready.pid, 'SIGTERM')
    await ended
  }
  return { ...ready, ms, stop }
}

/** The first start loads the sample movies after it is ready. */
async function untilLoaded(engine: string) {
  for (let tries = 0; tries < 240; tries++) {
    const reply = await fetch(`${engine}/movies/_count`)
    const { count } = (await reply.json()) as { count?: number } // the engine's answer, or an error
    if (count === 3201) return
    await wait(500)
  }
  throw new Error('the sample movies were not loaded within two minutes')
}
