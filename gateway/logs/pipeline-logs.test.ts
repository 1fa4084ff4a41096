import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPipeline } from '../../test/support/run-pipeline.ts'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { LogRecord } from '../contract/gateway-api/logs.ts'
import { usualLimits } from '../contract/limits.ts'
import { createPipelineLogs } from './pipeline-logs.ts'

const NOWHERE = { serverUrl: 'http://127.0.0.1:9' }
const LATEST = { from: 0, size: 100, order: 'timestamp_desc' } as const
const ROUTE = { path: '/a', method: 'POST', recordLogs: true }

/** Logs in a folder of their own, and a pipeline whose runs they record. */
function openLogs(stages: string, secrets: readonly string[] = []) {
  const folder = temporaryFolder()
  const warnings: Record<string, unknown>[] = []
  const logs = createPipelineLogs({
    dataDir: folder.dir,
    limits: () => usualLimits,
    secrets: () => secrets,
    warn: (event, fields) => void warnings.push({ event, ...fields }),
  })
  const text = `id: p\nroutes: [{ path: /a, method: POST }]\nstages:\n${stages}`
  const pipeline = openPipeline({ path: 'p.yaml', text }, NOWHERE)
  return {
    dir: folder.dir,
    warnings,
    logs,
    run: (runId: string, body = '') =>
      pipeline.run(
        { url: '/a', headers: { host: 'h' }, body },
        { runId, observers: logs.observersOf({ route: ROUTE }) },
      ),
    record: async (id: string, verbose = false) =>
      LogRecord.parse(JSON.parse((await logs.get(id, verbose)) ?? 'null')),
    /** All bytes on disk. */
    bytes: () =>
      Buffer.concat(readdirSync(folder.dir).map((name) => readFileSync(join(folder.dir, name)))),
    async [Symbol.asyncDispose]() {
      await logs.close()
      await pipeline[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const script = (id: string, body: string, more = '') =>
  `  - id: ${id}\n${more}    script: |\n      function handleRequest() { ${body} }\n`

test('nobody watches a run whose route does not record logs, and nothing is opened', () => {
  using folder = temporaryFolder()
  const logs = createPipelineLogs({
    dataDir: folder.dir,
    limits: () => usualLimits,
    secrets: () => [],
    warn: () => undefined,
  })
  const observers = [1, 2].map(() => logs.observersOf({ route: { ...ROUTE, recordLogs: false } }))
  expect(observers).toEqual([[], []])
  expect(observers[0]).toBe(observers[1])
  expect(existsSync(join(folder.dir, 'logs.db'))).toBe(false)
})

test('a record tells what each stage did; with verbose, the contexts after them', async () => {
  await using opened = openLogs(
    script('first', 'console.log("seen", 1); return { size: 2, request: { body: "b" } }') +
      script('broken', 'null.x', '    continueOnError: true\n') +
      script('off', 'return {}', '    enabled: false\n') +
      script('last', 'delete context.size; context.response.body = "done"'),
  )
  await opened.run('r', 'a')
  const record = await opened.record('r')
  expect(record).toMatchObject({
    id: 'r',
    pipeline_id: 'p',
    route: { path: '/a', method: 'POST' },
    status: 'ok',
    continued: ['broken'],
    request: { method: 'POST', uri: '/a', body: 'a' },
    response: { code: 200, body: 'done', headers: { 'x-sluice-continued': 'broken' } },
    diffLogs: true,
    console_logs: ['seen 1'],
  })
  const shown = record.stageChanges.map(({ took, ...stage }) => [typeof took, stage])
  expect(shown).toMatchObject([
    ['number', { id: 'first', status: 'ok', changes: { size: 2, request: { body: 'b' } } }],
    ['number', { id: 'broken', status: 'continued', error: { type: 'SCRIPT_THREW' }, changes: {} }],
    ['undefined', { id: 'off', status: 'disabled', reason: 'it is disabled' }],
    ['number', { id: 'last', changes: { response: { body: 'done' } }, removed: ['size'] }],
  ])
  const verbose = await opened.record('r', true)
  expect([verbose.diffLogs, verbose.context]).toEqual([false, record.context])
  const contexts = verbose.stageChanges.map(
    ({ context }) => JSON.parse(context ?? 'null') as unknown,
  )
  expect(contexts).toMatchObject([
    { size: 2, request: { body: 'b' }, response: { body: '' } },
    { size: 2, request: { body: 'b' }, response: { body: '' } },
    { size: 2, request: { body: 'b' }, response: { body: '' } },
    { request: { body: 'b' }, response: { body: 'done' } },
  ])
  expect(contexts[3]).not.toHaveProperty('size')
  expect(JSON.parse(record.context)).toEqual(contexts[3])
})

test('a failure after the answer is in the record, though the answer could not tell', async () => {
  await using opened = openLogs(
    script('answer', 'return { response: { body: "first" } }') +
      script('behind', 'return fetch("http://127.0.0.1:9/")', '    async: true\n'),
  )
  const { response } = await opened.run('r')
  expect(response.headers).not.toHaveProperty('x-sluice-continued')
  expect(await opened.record('r')).toMatchObject({
    status: 'ok',
    continued: ['behind'],
    response: { body: 'first' },
    stageChanges: [{ id: 'answer' }, { id: 'behind', async: true, status: 'continued' }],
  })
})

test('secrets of a run are in no byte on disk, even when they are forgotten before it is written', async () => {
  const secrets = ['correct horse "battery"']
  await using opened = openLogs(
    script(
      'leak',
      'const it = JSON.parse(context.request.body).key; console.log(it); return { [it]: it }',
    ),
    secrets,
  )
  await opened.run('r', JSON.stringify({ key: secrets[0] }))
  secrets.pop()
  expect((await opened.record('r')).console_logs).toEqual(['••••'])
  await opened.logs.close()
  const bytes = opened.bytes()
  expect([bytes.includes('correct horse'), bytes.includes('battery')]).toEqual([false, false])
  expect(bytes.includes('leak')).toBe(true)
})

test('a value that became a secret later is in no answer', async () => {
  const secrets: string[] = []
  await using opened = openLogs(
    script('s', 'return { response: { body: "open sesame" } }'),
    secrets,
  )
  await opened.run('r')
  expect((await opened.record('r')).response.body).toBe('open sesame')
  secrets.push('sesame')
  const record = await opened.record('r', true)
  const page = await opened.logs.list(LATEST)
  expect([record.response.body, page.logs[0]?.response.body]).toEqual(['open ••••', 'open ••••'])
  expect(JSON.stringify([record, page])).not.toContain('sesame')
})

test('a context nested too deep costs its own record only', async () => {
  await using opened = openLogs(
    script(
      'deep',
      'let deep = 1; for (let i = 0; i < +context.request.body; i++) deep = [deep]; return { deep }',
    ),
  )
  await opened.run('deep', '20000')
  await opened.run('flat', '2')
  const page = await opened.logs.list(LATEST)
  expect(page.logs.map(({ id }) => id)).toContain('flat')
  expect(page.total + page.dropped).toBe(2)
})

test('a file that cannot be read is told, and the next record tries again', async () => {
  await using opened = openLogs(script('s', 'return {}'))
  writeFileSync(join(opened.dir, 'logs.db'), 'no database'.repeat(1_000))
  await opened.run('r')
  await expect(opened.logs.list(LATEST)).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' })
  expect(opened.warnings).toMatchObject([{ event: 'logs-lost', count: 1 }])
  writeFileSync(join(opened.dir, 'logs.db'), '')
  chmodSync(join(opened.dir, 'logs.db'), 0o600)
  await opened.run('s')
  expect(await opened.logs.list(LATEST)).toMatchObject({ total: 1, dropped: 1 })
})
