import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadOptions } from './load.ts'
import { childPids, type Contestant, startProgram } from './processes.ts'

/** As `npm run sluice` starts it. */
export const GATEWAY_FLAGS = ['--min-semi-space-size=16']

/** A real `sluice serve` on free ports, and the header its credential asks for. */
export async function startSluice(
  name: string,
  args: readonly string[],
): Promise<Contestant & { request: Partial<LoadOptions> }> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const flags = ['serve', '--port', '0', '--data', dir, '--print-credentials', ...args]
  const { contestant, line } = await startProgram(name, '../gateway/cli.ts', flags, GATEWAY_FLAGS)
  const pid = Number(line.pid)
  const pair = Buffer.from(`${String(line.username)}:${String(line.password)}`).toString('base64')
  return {
    ...contestant,
    pids: [...new Set([...contestant.pids, pid, ...childPids(pid)])],
    request: { headers: { 'content-type': 'application/json', authorization: `Basic ${pair}` } },
    async stop() {
      await contestant.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
