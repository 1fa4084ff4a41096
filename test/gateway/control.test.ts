import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../gateway/contract/api.ts'
import { GatewayEvent } from '../../gateway/contract/events.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { sendRaw } from '../support/raw-http.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

const pageDir = makeWorkspace({ 'index.html': '<!doctype html><title>page</title>' })
const workspace = makeWorkspace({
  'pipelines/echo.yaml':
    'routes:\n  - path: /echo\n    method: POST\nstages:\n  - use: authorization\n  - id: echo\n    script: |\n      function handleRequest() {\n        return { response: { body: context.request.body + context.envs.GREETING } }\n      }\n',
  'envs/dev.yaml': 'GREETING: hello\n',
  'envs/prod.yaml': 'GREETING: goodbye\n',
})
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  process.env.SLUICE_PAGE_DIR = pageDir.dir
  engine = await startFakeEngine((_request, response) => response.end('{}'))
  sluice = await startSluice(['--engine', engine.url])
  delete process.env.SLUICE_PAGE_DIR
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
  pageDir[Symbol.dispose]()
})

const call = (method: string, path: string, body?: unknown) =>
  callControl(sluice, method, path, body)

test('the page is open to everyone and allows no foreign code', async () => {
  const reply = await fetch(sluice.control)
  expect(await reply.text()).toContain('<title>page</title>')
  expect(reply.headers.get('content-security-policy')).toMatch(
    /default-src 'none'; script-src 'self'/,
  )
})

test.each(Object.keys(api))('%s needs the token', async (endpoint) => {
  const [method = '', path = ''] = endpoint.split(' ')
  for (const authorization of ['', 'Bearer wrong', sluice.authorization]) {
    const reply = await fetch(sluice.control + path, { method, headers: { authorization } })
    expect([reply.status, await reply.json()]).toMatchObject([
      401,
      { error: { type: 'UNAUTHORIZED' } },
    ])
  }
})

test('a foreign host name is refused, and so are paths out of the page', async () => {
  const rebound = await sendRaw(
    sluice.control,
    'GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n',
  )
  expect(rebound).toContain('HTTP/1.1 403')
  const { host } = new URL(sluice.control)
  const outside = await sendRaw(
    sluice.control,
    `GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
  expect(outside).toContain('HTTP/1.1 404')
})

test('wrong bodies get 400 with what is wrong, unknown paths 404', async () => {
  expect(await call('POST', '/api/workspace/open', { folder: 1 })).toMatchObject({
    status: 400,
    body: { error: { type: 'REQUEST_INVALID', message: expect.stringContaining('dir') } },
  })
  expect(await call('GET', '/api/nothing')).toMatchObject({ status: 404 })
})

test('a workspace is opened, read, written with etags, and its environment is chosen', async () => {
  expect(await call('POST', '/api/workspace/open', { dir: workspace.dir })).toMatchObject({
    status: 200,
    body: { name: 'test', environments: ['dev', 'prod'] },
  })
  const path = 'pipelines/echo.yaml'
  const read = await call('GET', `/api/workspace/file?path=${path}`)
  const { text, etag } = read.body as { text: string; etag: string }
  expect(text).toBe(readFileSync(join(workspace.dir, path), 'utf8'))
  writeFileSync(
    join(workspace.dir, path),
    text.replace('context.request.body', "'<' + context.request.body"),
  )
  const stale = await call('PUT', '/api/workspace/file', { path, text, etag })
  expect(stale).toMatchObject({ status: 412, body: { error: { type: 'FILE_CHANGED' } } })
  expect(await call('POST', '/api/workspace/environment', { environment: 'prod' })).toMatchObject({
    status: 200,
    body: { environment: 'prod' },
  })
  const sent = await call('POST', '/api/send', {
    runId: 'run-1',
    method: 'POST',
    path: '/echo',
    headers: [],
    body: 'and ',
  })
  expect(sent).toMatchObject({ status: 200, body: { runId: 'run-1', traced: true, status: 200 } })
  expect((sent.body as { body: string }).body).toMatch(/and goodbye$/)
})

test('changes are told over the event stream', async () => {
  await call('POST', '/api/workspace/open', { dir: workspace.dir })
  const abort = new AbortController()
  const reply = await fetch(`${sluice.control}/api/events`, {
    headers: { authorization: `Bearer ${sluice.token}` },
    signal: abort.signal,
  })
  writeFileSync(join(workspace.dir, 'pipelines/new.yaml'), 'routes: nothing')
  const wanted = new Set(['workspace', 'fileChanged', 'pipelines'])
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames)
      if (frame.startsWith('data: '))
        wanted.delete(GatewayEvent.parse(JSON.parse(frame.slice(6))).type)
    if (wanted.size === 0) break
  }
  abort.abort()
  expect([...wanted]).toEqual([])
})

test('the sample is copied into the data folder, and a changed copy is kept', async () => {
  const { body } = await call('POST', '/api/workspace/sample')
  const { dir, isSample, files } = body as {
    dir: string
    isSample: boolean
    files: { path: string }[]
  }
  expect([dir.startsWith(sluice.dataDir), isSample]).toEqual([true, true])
  expect(files.map(({ path }) => path)).toContain('requests/search.http')
  writeFileSync(join(dir, 'requests/mine.http'), '### mine')
  await call('POST', '/api/workspace/sample')
  expect(existsSync(join(dir, 'requests/mine.http'))).toBe(true)
})

test('a folder that is none, or has a broken manifest, says so and changes nothing', async () => {
  const missing = await call('POST', '/api/workspace/open', { dir: '/nowhere/at/all' })
  expect(missing).toMatchObject({ status: 400, body: { error: { type: 'WORKSPACE_UNREADABLE' } } })
  const broken = join(workspace.dir, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'sluice.yaml'), 'name: x\nother: [')
  const reply = await call('POST', '/api/workspace/open', { dir: broken })
  expect(JSON.stringify(reply.body)).toMatch(/sluice\.yaml:2:\d+/)
  rmSync(broken, { recursive: true })
  expect(await call('GET', '/api/state')).toMatchObject({ body: { workspace: { isSample: true } } })
})

test('another engine is asked before it is switched to, and its password is nowhere to be read', async () => {
  const dead = await call('POST', '/api/engine', { url: 'http://user:hunter2hunter2@127.0.0.1:9' })
  expect(dead).toMatchObject({ status: 502, body: { error: { type: 'ENGINE_UNREACHABLE' } } })
  const other = engine.url.replace('//', '//user:hunter2hunter2@')
  const { body } = await call('POST', '/api/engine', { url: other })
  expect(body).toMatchObject({ kind: 'remote', url: engine.url })
  await fetch(`${sluice.gateway}/x`, { headers: { authorization: sluice.authorization } })
  const { rawHeaders } = engine.seen.at(-1) ?? { rawHeaders: [] }
  expect(rawHeaders).toContain(`Basic ${btoa('user:hunter2hunter2')}`)
  const state = await call('GET', '/api/state')
  expect(JSON.stringify([dead, body, state]) + sluice.log()).not.toContain('hunter2')
  for (const name of readdirSync(sluice.dataDir))
    if (name.startsWith('state.db'))
      expect(readFileSync(join(sluice.dataDir, name)).includes('hunter2')).toBe(false)
})
