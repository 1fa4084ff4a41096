import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openPipeline } from '../../test/support/run-pipeline.ts'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { usualLimits } from '../contract/limits.ts'
import { createPipelineLogs } from './pipeline-logs.ts'

setFlagsFromString('--expose-gc')
// Safe: the flag makes this function, and only in contexts that are new.
const collectGarbage = runInNewContext('gc') as () => void

const RUNS = Number(process.env['SLUICE_LOG_RUNS'] ?? 2_000)
const BODY_BYTES = 20_000
const text = `id: p
routes: [{ path: /a, method: POST }]
stages:
  - id: s
    script: 'function handleRequest() { return { response: { body: context.request.body } } }'
`

test('records of many runs take neither memory nor disk beyond the bounds', async () => {
  using folder = temporaryFolder()
  const limits = { ...usualLimits, logRecords: 500 }
  const logs = createPipelineLogs({
    dataDir: folder.dir,
    limits: () => limits,
    secrets: () => ['a secret of some length'],
    warn: () => undefined,
  })
  await using pipeline = openPipeline({ path: 'p.yaml', text }, { serverUrl: 'http://127.0.0.1:9' })
  const route = { path: '/a', method: 'POST', recordLogs: true }
  const page = () => logs.list({ from: 0, size: 0, order: 'timestamp_desc' })
  const heapBytes = () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const run = async (at: number) => {
    await pipeline.run(
      { url: '/a', body: `${at}`.padStart(BODY_BYTES, 'x') },
      { runId: `${at}`, observers: logs.observersOf({ route }) },
    )
    // Requests come over sockets: there is a turn of the event loop between them.
    await setImmediate()
  }

  for (let at = 0; at < 500; at++) await run(at)
  await page()
  const before = heapBytes()
  for (let at = 500; at < RUNS; at++) await run(at)
  const { total, dropped } = await page()
  const grown = heapBytes() - before
  expect(grown).toBeLessThan(8_000_000)
  expect(total).toBe(500)
  await logs.close()
  // Each record holds its body twice: as it was asked and as it was answered.
  expect(statSync(join(folder.dir, 'logs.db')).size).toBeLessThan(2 * 500 * 2 * BODY_BYTES)
  if (process.env['SLUICE_LOG_RUNS'])
    console.log({
      grown,
      dropped,
      rss: process.memoryUsage().rss,
      file: statSync(join(folder.dir, 'logs.db')).size,
    })
})
