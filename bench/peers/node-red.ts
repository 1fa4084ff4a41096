import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contestant, startProgram } from '../processes.ts'

const VERSION = '5.0.7'

/** Node-RED, installed into a folder of its own at first; nothing when it cannot be installed. */
export async function startNodeRed(engineUrl: string): Promise<Contestant | undefined> {
  const folder = join(tmpdir(), `sluice-bench-node-red-${VERSION}`)
  if (!existsSync(join(folder, 'node_modules/node-red')))
    try {
      mkdirSync(folder, { recursive: true })
      const flags = ['--no-audit', '--no-fund', '--prefix', folder]
      execFileSync('npm', ['install', ...flags, `node-red@${VERSION}`], { stdio: 'ignore' })
    } catch {
      return undefined
    }
  const args = [engineUrl, folder]
  const { contestant } = await startProgram('Node-RED', 'peers/node-red-flow.ts', args)
  return contestant
}
