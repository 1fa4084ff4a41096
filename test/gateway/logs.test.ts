import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LogPage, LogRecord } from '../../gateway/contract/gateway-api/logs.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { startSluice, temporaryFolder, type Sluice } from '../support/start-sluice.ts'

const SECRET = 'hunter2-and-"more"'

/** A pipeline of one route, its records kept unless `recordLogs` says otherwise. */
const pipeline = (
  id: string,
  route: string,
  stages: string,
  { recordLogs = true, more = '' }: { recordLogs?: boolean; more?: string } = {},
) => `id: ${id}
routes: [{ ${route}, recordLogs: ${recordLogs} }]
${more}stages:
  - use: authorization
${stages}`
const engineCall = `  - use: searchEngineQuery
    continueOnError: false
`
const script = (id: string, body: string, more = '') =>
  `  - id: ${id}\n${more}    script: |\n      function handleRequest() { ${body} }\n`

const workspace = makeWorkspace({
  'pipelines/search.yaml': pipeline(
    'find',
    'path: "/{index}/_declarative", method: POST, classify: { category: declarative, acl: search }',
    `  - use: declarativeQuery\n    continueOnError: false\n${engineCall}`,
  ),
  'pipelines/raw.yaml': pipeline(
    'raw',
    'path: /raw/_search, method: POST, classify: { category: search, acl: search }',
    `  - use: searchEngineQuery\n    inputs: { path: /movies/_search }\n    continueOnError: false\n`,
  ),
  'pipelines/index.yaml': pipeline(
    'put',
    'path: /movies/_doc/7, method: PUT, classify: { category: docs, acl: doc }',
    engineCall,
  ),
  'pipelines/delete.yaml': pipeline(
    'drop',
    'path: /movies/_doc/7, method: DELETE, classify: { category: docs, acl: doc }',
    engineCall,
  ),
  'pipelines/fail.yaml': pipeline(
    'fail',
    'path: /fail, method: POST',
    script('broken', 'throw new Error("on purpose")', '    continueOnError: false\n'),
  ),
  'pipelines/continue.yaml': pipeline(
    'continue',
    'path: /continue, method: POST',
    script('broken', 'throw new Error("on purpose")') +
      script('behind', 'return { response: { code: 201, body: "went on" } }'),
  ),
  'pipelines/secret.yaml': pipeline(
    'secret',
    'path: /secret, method: POST',
    script(
      'leak',
      'const key = context.envs.API_KEY; console.log(key); return { key, [key]: 1, response: { headers: { "set-cookie": "sid=s3cr3t" }, body: JSON.stringify({ key, body: context.request.body, url: "http://x/?key=" + encodeURIComponent(key) }) } }',
    ),
    { more: `global_envs: [{ key: API_KEY, value: '${SECRET}' }]\n` },
  ),
  'pipelines/quiet.yaml': pipeline(
    'quiet',
    'path: /quiet, method: POST',
    script('s', 'return { response: { body: "quiet" } }'),
    { recordLogs: false },
  ),
})
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine((request, response) => {
    if (request.url === '/movies/_doc/7' && request.method === 'DELETE') response.statusCode = 404
    response.setHeader('content-type', 'application/json')
    response.end('{"took":1,"hits":{"total":{"value":0},"hits":[]},"responses":[]}')
  })
  sluice = await startSluice(['--workspace', workspace.dir, '--engine', engine.url])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
})

const send = (to: Sluice, method: string, path: string, body?: string) =>
  fetch(to.gateway + path, {
    method,
    headers: { authorization: to.authorization, cookie: 'sid=c00kie-value' },
    ...(body !== undefined && { body }),
  })
async function ask(path: string, of: Sluice = sluice) {
  const reply = await send(of, 'GET', path)
  return { status: reply.status, body: (await reply.json()) as { error?: { message: string } } }
}
const list = async (path: string, of: Sluice = sluice) =>
  LogPage.strict().parse((await ask(path, of)).body)
const record = async (id: string | undefined, query = '') =>
  LogRecord.parse((await ask(`/_pipelines/log/${id}${query}`)).body)
/** Everything a data folder holds of the logs. */
const bytesIn = (dir: string) =>
  Buffer.concat(
    readdirSync(dir)
      .filter((name) => name.startsWith('logs.db'))
      .map((name) => readFileSync(join(dir, name))),
  )

test('runs are listed by what they were for and how they went', async () => {
  const query = (type: string) =>
    JSON.stringify({ query: [{ id: 'a', type, dataField: ['t'], value: 'x' }] })
  await send(sluice, 'POST', '/movies/_declarative', query('search'))
  await send(sluice, 'POST', '/movies/_declarative', query('suggestion'))
  await send(sluice, 'POST', '/raw/_search', '{}')
  await send(sluice, 'PUT', '/movies/_doc/7', '{"title":"Alien"}')
  await send(sluice, 'DELETE', '/movies/_doc/7')
  await send(sluice, 'POST', '/fail', '{}')
  await send(sluice, 'POST', '/continue', '{}')
  await send(sluice, 'POST', '/quiet', '{}')
  const ids = async (query: string) =>
    (await list(`/_pipelines/logs?sort_by=timestamp_asc&${query}`)).logs.map(
      ({ pipeline_id, response }) => `${pipeline_id} ${response.code}`,
    )
  expect(await ids('')).toEqual([
    'find 200',
    'find 200',
    'raw 200',
    'put 200',
    'drop 404',
    'fail 500',
    'continue 201',
  ])
  expect(await ids('category=search')).toEqual(['find 200', 'raw 200'])
  expect(await ids('category=suggestion')).toEqual(['find 200'])
  expect(await ids('category=index')).toEqual(['put 200'])
  expect(await ids('category=delete')).toEqual(['drop 404'])
  expect(await ids('category=error')).toEqual(['drop 404', 'fail 500'])
  expect(await ids('category=success')).toHaveLength(5)
  expect(await ids('from=1&size=2')).toEqual(['find 200', 'raw 200'])
})

test('one pipeline, one page, one order', async () => {
  const page = await list('/_pipeline/find/logs?size=1&sort_by=latency_asc')
  expect([page.total, page.logs.length, page.dropped]).toEqual([2, 1, 0])
  const [slow, fast] = (await list('/_pipeline/find/logs?sort_by=latency_desc')).logs
  expect(slow?.took).toBeGreaterThanOrEqual(fast?.took ?? Infinity)
  expect(page.logs[0]?.id).toBe(fast?.id)
  // Above 1000 the usual 100 count, as in the reference.
  expect((await ask('/_pipelines/logs?size=5000')).status).toBe(200)
  expect(await list('/_pipelines/logs?size=0')).toMatchObject({ logs: [] })
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '/')
  expect((await list(`/_pipeline/find/logs?start_date=${today}&end_date=${today}`)).total).toBe(2)
  expect((await list('/_pipeline/find/logs?end_date=2020/01/31')).total).toBe(0)
  expect((await list('/_pipeline/quiet/logs')).total).toBe(0)
})

test('a failure that was continued is in the answer, in the record and with its stage', async () => {
  const reply = await send(sluice, 'POST', '/continue', 'hello')
  expect([reply.status, reply.headers.get('x-sluice-continued')]).toEqual([201, 'broken'])
  const [latest] = (await list('/_pipeline/continue/logs')).logs
  expect(latest).toMatchObject({ status: 'ok', continued: ['broken'] })
  const { stageChanges, ...rest } = await record(latest?.id)
  expect(rest).toMatchObject({
    route: { path: '/continue', method: 'POST' },
    request: { method: 'POST', uri: '/continue', body: 'hello' },
    response: { code: 201, body: 'went on', headers: { 'x-sluice-continued': 'broken' } },
    diffLogs: true,
  })
  expect(
    stageChanges.map(({ took: _took, error, ...stage }) => [stage.id, stage.status, error?.type]),
  ).toEqual([
    ['authorization', 'ok', undefined],
    ['broken', 'continued', 'SCRIPT_THREW'],
    ['behind', 'ok', undefined],
  ])
  expect(stageChanges[1]?.error?.source).toMatchObject({ file: 'pipelines/continue.yaml' })
  const verbose = await record(latest?.id, '?verbose=true')
  expect(JSON.parse(verbose.stageChanges[2]?.context ?? '')).toMatchObject({
    request: { body: 'hello' },
    response: { code: 201, body: 'went on' },
  })
})

test('a failure that stopped the run has its place and its stage', async () => {
  const [latest] = (await list('/_pipeline/fail/logs')).logs
  expect(latest).toMatchObject({
    status: 'failed',
    error: {
      type: 'SCRIPT_THREW',
      stageId: 'broken',
      message: expect.stringContaining('on purpose'),
    },
    response: { code: 500 },
  })
})

test('no secret, cookie or credential is in any byte on disk or in an answer', async () => {
  const reply = await send(sluice, 'POST', '/secret', `echo ${SECRET}`)
  expect(await reply.text()).toContain('hunter2')
  const [latest] = (await list('/_pipeline/secret/logs')).logs
  const shown = JSON.stringify(await record(latest?.id, '?verbose=true'))
  expect(shown).toContain('••••')
  const bytes = bytesIn(sluice.dataDir)
  expect(bytes.includes('/secret')).toBe(true)
  const pair = sluice.authorization.replace('Basic ', '')
  for (const hidden of ['hunter2', 'c00kie-value', 's3cr3t', pair, sluice.password ?? ''])
    expect([hidden, bytes.includes(hidden), shown.includes(hidden)]).toEqual([hidden, false, false])
})

test.each([
  [
    '/_pipelines/logs?category=errors',
    /"category": "errors" is none of search, suggestion, index, delete, success, error/,
  ],
  [
    '/_pipelines/logs?sort_by=latency',
    /"sort_by": "latency" is none of timestamp_desc, timestamp_asc, latency_desc/,
  ],
  ['/_pipelines/logs?size=-1', /"size": "-1" is no whole number from 0 on/],
  ['/_pipelines/logs?from=1.5', /"from": "1\.5" is no whole number/],
  [
    '/_pipelines/logs?start_date=2026-02-31',
    /"start_date": "2026-02-31" is no day of the calendar, written yyyy\/MM\/dd/,
  ],
  [
    '/_pipelines/logs?start_date=2026/11/21&end_date=2026/11/20',
    /"start_date": "2026-11-21" lies after end_date/,
  ],
  [
    '/_pipelines/logs?categroy=error',
    /"categroy" is no parameter of this call; there are from, size, start_date/,
  ],
  ['/_pipelines/log/x?verbose=yes', /"verbose": "yes" is none of true, false/],
])('%s is refused with what it may be', async (path, message) => {
  const { status, body } = await ask(path)
  expect([status, body.error?.message]).toEqual([400, expect.stringMatching(message)])
})

test('what does not exist is not found', async () => {
  expect(await ask('/_pipelines/log/none')).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('"none"') } },
  })
  expect(await ask('/_pipeline/nobody/logs')).toMatchObject({ status: 404 })
})

test('the oldest records go when there are more than a workspace keeps', async () => {
  using small = makeWorkspace({
    'sluice.yaml': 'name: small\nlimits: { logRecords: 5 }\n',
    'pipelines/p.yaml': pipeline('p', 'path: /p, method: POST', script('s', 'return {}')),
  })
  await using sluice = await startSluice(['--workspace', small.dir, '--engine', engine.url])
  for (let at = 0; at < 9; at++) await send(sluice, 'POST', '/p', `number ${at}`)
  const { logs, total } = await list('/_pipelines/logs?sort_by=timestamp_asc', sluice)
  expect([total, logs.map(({ request }) => request.body)]).toEqual([
    5,
    [4, 5, 6, 7, 8].map((at) => `number ${at}`),
  ])
})

test('what was written survives kill -9; the file opens again and takes more', async () => {
  using folder = temporaryFolder()
  const flags = ['--workspace', workspace.dir, '--engine', engine.url]
  const first = await startSluice(flags, { dataDir: folder.dir })
  for (let at = 0; at < 40; at++) await send(first, 'POST', '/continue', `before ${at}`)
  const written = (await list('/_pipelines/logs', first)).total
  // Killed in the middle of writing, most likely.
  const more = Array.from({ length: 200 }, () => send(first, 'POST', '/continue', 'more'))
  await Promise.race([Promise.allSettled(more), sleep(150)])
  first.child.kill('SIGKILL')
  if (first.child.exitCode === null && first.child.signalCode === null)
    await once(first.child, 'exit')
  await Promise.allSettled(more)
  await using second = await startSluice(flags, { dataDir: folder.dir })
  const kept = await list('/_pipelines/logs?sort_by=timestamp_asc&size=1000', second)
  expect(written).toBe(40)
  expect(kept.logs.slice(0, 40).map(({ request }) => request.body)).toEqual(
    Array.from({ length: 40 }, (_, at) => `before ${at}`),
  )
  await send(second, 'POST', '/continue', 'after')
  const after = await list('/_pipelines/logs', second)
  expect([after.total, after.logs[0]?.request.body]).toEqual([kept.total + 1, 'after'])
})
