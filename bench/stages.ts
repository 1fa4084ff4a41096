import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './processes.ts'
import { measureRounds, printTable } from './rounds.ts'
import { startSluice } from './sluice.ts'

const PLAIN = 'plain Node, no sandbox'
const STAGES = 100

/** A pipeline of a hundred small scripts, against a hundred functions in plain Node. */
export async function benchStages({ rounds, seconds }: { rounds: number; seconds: number }) {
  const workspace = writeWorkspace()
  const plain = await startProgram(PLAIN, 'peers/plain-stages.ts', [String(STAGES)])
  const args = ['--workspace', workspace, '--engine', plain.contestant.url]
  const contestants = [
    { ...plain.contestant, request: {} },
    await startSluice('sluice, trace off', [...args, '--trace', 'off']),
    await startSluice('sluice, every run recorded', [...args, '--trace', 'all']),
  ]
  const load = {
    method: 'POST',
    path: '/hundred',
    headers: { 'content-type': 'application/json' },
    body: '{"size":10}',
    clients: 16,
    seconds,
  }
  const rows = await measureRounds(contestants, load, rounds)
  printTable(`${STAGES} script stages, 16 clients`, rows, PLAIN)
  for (const { stop } of contestants) await stop()
  rmSync(workspace, { recursive: true, force: true })
}

function writeWorkspace(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  mkdirSync(join(dir, 'pipelines'), { recursive: true })
  writeFileSync(join(dir, 'sluice.yaml'), 'name: Bench\n')
  const stages = Array.from(
    { length: STAGES },
    (_, at) => `  - id: stage${at}
    script: |
      function handleRequest() {
        return { response: { body: context.response.body + '${at},' } }
      }
`,
  )
  writeFileSync(
    join(dir, 'pipelines/hundred.pipeline.yaml'),
    `id: hundred
routes:
  - path: /hundred
    method: POST
stages:
  - use: authorization
${stages.join('')}`,
  )
  return dir
}
