import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PIPELINE_SCRIPTS } from './pipeline-scripts.ts'
import { startNodeRed } from './peers/node-red.ts'
import { startProgram } from './processes.ts'
import { measureRounds, printTable } from './rounds.ts'
import { startSluice } from './sluice.ts'

const PLAIN = 'plain Node, no sandbox'

/** A pipeline of three scripts around one engine call, against the same work in plain Node. */
export async function benchPipeline({ rounds, seconds }: { rounds: number; seconds: number }) {
  const workspace = writeWorkspace()
  const { contestant: engine } = await startProgram('engine', 'engine-stand-in.ts')
  const plain = await startProgram(PLAIN, 'peers/plain-pipeline.ts', [engine.url])
  const nodeRed = await startNodeRed(engine.url)
  if (!nodeRed) console.log('Node-RED cannot be installed: left out')
  const args = ['--workspace', workspace, '--engine', engine.url]
  const contestants = [
    { ...plain.contestant, request: {} },
    ...(nodeRed ? [{ ...nodeRed, request: {} }] : []),
    await startSluice('sluice, trace off', [...args, '--trace', 'off']),
    await startSluice('sluice, 5 % recorded', [...args, '--trace', '0.05']),
    await startSluice('sluice, every run recorded', [...args, '--trace', 'all']),
  ]
  const headers = { 'content-type': 'application/json' }
  const body =
    '{"query":{"match":{"title":"the long goodbye"}},"size":10,"from":0,"track_total_hits":true}'
  const load = { method: 'POST', path: '/movies/search', headers, body }
  for (const clients of [16, 1]) {
    const rows = await measureRounds(contestants, { ...load, clients, seconds }, rounds)
    printTable(`three scripts and one engine call, ${clients} clients`, rows, PLAIN)
  }
  for (const { stop } of [...contestants, engine]) await stop()
  rmSync(workspace, { recursive: true, force: true })
}

function writeWorkspace(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  mkdirSync(join(dir, 'pipelines/bench'), { recursive: true })
  writeFileSync(join(dir, 'sluice.yaml'), 'name: Bench\n')
  for (const [index, text] of PIPELINE_SCRIPTS.entries())
    writeFileSync(join(dir, `pipelines/bench/script${index}.js`), text)
  writeFileSync(
    join(dir, 'pipelines/bench.pipeline.yaml'),
    `id: bench
routes:
  - path: /movies/search
    method: POST
stages:
  - use: authorization
  - id: before
    scriptRef: bench/script0.js
  - id: search
    use: searchEngineQuery
    inputs:
      path: /movies/_search
  - id: decades
    scriptRef: bench/script1.js
  - id: order
    scriptRef: bench/script2.js
`,
  )
  return dir
}
