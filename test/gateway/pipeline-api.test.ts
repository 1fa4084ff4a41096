import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../gateway/access/passwords.ts'
import { openSqliteState } from '../../gateway/state/sqlite.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { callApi } from '../support/pipeline-api.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type Sluice, startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engine = await startFakeEngine((_request, response) => response.end('{}'))
let sluice: Sluice

beforeAll(async () => {
  sluice = await startSluice(['--engine', engine.url])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
})

test('the API is behind credentials, and says what is not there', async () => {
  const open = await callApi({ ...sluice, authorization: 'Basic eDp5' }, 'GET', '/_pipelines')
  expect([open.status, open.body.error.type]).toEqual([401, 'UNAUTHORIZED'])
  expect(open.headers.get('www-authenticate')).toMatch(/^Basic /)

  const schema = await callApi(sluice, 'GET', '/_pipeline/schema?x=1')
  expect([schema.status, Object.keys(schema.body.properties)]).toEqual([
    200,
    expect.arrayContaining(['routes', 'stages', 'global_envs']),
  ])
  const missing = await callApi(sluice, 'GET', '/_pipelines/nothing/here')
  expect([missing.status, missing.body.error]).toEqual([
    404,
    {
      code: 404,
      status: 'Not Found',
      type: 'NOT_FOUND',
      message: expect.stringContaining('GET /_sluice/openapi.json lists all routes') as string,
    },
  ])
  const method = await callApi(sluice, 'DELETE', '/_pipeline/x/versions')
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET'])
})

test('a credential that is no administrator gets 403, which names the category', async () => {
  using folder = temporaryFolder()
  const state = openSqliteState(join(folder.dir, 'state.db'))
  for (const username of ['root', 'reader']) {
    const hash = await hashPassword('pw')
    state.put('credential', username, { username, hash, admin: username === 'root' })
  }
  state.close()
  await using other = await startSluice(['--engine', engine.url], { dataDir: folder.dir })
  const authorization = `Basic ${btoa('reader:pw')}`
  const { status, body } = await callApi({ ...other, authorization }, 'GET', '/_pipelines')
  expect([status, body.error.type]).toEqual([403, 'FORBIDDEN'])
  expect(body.error.message).toContain('may not use category "pipelines"')
})

test('paths that only begin like the API pass through to the engine', async () => {
  const paths = ['/_pipelinesque', '/_analytics/other', '/_ingest/pipeline', '/_sluicebox']
  for (const path of paths) await callApi(sluice, 'GET', path)
  expect(engine.seen.map(({ url }) => url)).toEqual(paths)
})

test('bodies that cannot be read are refused with what to send', async () => {
  const create = (init: Parameters<typeof callApi>[3]) =>
    callApi(sluice, 'POST', '/_pipeline', init)
  const told = async (init: Parameters<typeof callApi>[3]) => {
    const { status, body } = await create(init)
    return [status, body.error.type, body.error.message] as const
  }
  expect(await told({})).toEqual([
    400,
    'REQUEST_INVALID',
    expect.stringContaining('The request body is not as documented'),
  ])
  expect(await told({ headers: { 'content-type': 'text/plain' }, form: {} })).toEqual([
    415,
    'MEDIA_TYPE_UNSUPPORTED',
    expect.stringContaining('multipart/form-data or application/json, not "text/plain"'),
  ])
  expect(await told({ json: { pipeline: { content: 5, extension: 'yaml' } } })).toEqual([
    400,
    'REQUEST_INVALID',
    expect.stringContaining('at "pipeline.content"'),
  ])
  expect(await told({ form: { pipeline: 'routes: []' } })).toEqual([
    400,
    'REQUEST_INVALID',
    expect.stringContaining('The part "pipeline" is no JSON'),
  ])
  expect(await told({ form: { other: { text: 'x', fileName: 'x.js' } } })).toEqual([
    400,
    'REQUEST_INVALID',
    expect.stringContaining('at "pipeline"'),
  ])
  expect(await told({ headers: { 'content-encoding': 'gzip' }, json: {} })).toEqual([
    415,
    'MEDIA_TYPE_UNSUPPORTED',
    'Send the body as it is, not as gzip',
  ])
  const latin1 = Buffer.from('{"pipeline":{"content":"# caf\xe9","extension":"yaml"}}', 'latin1')
  const undecoded = await fetch(`${sluice.gateway}/_pipeline`, {
    method: 'POST',
    headers: { authorization: sluice.authorization, 'content-type': 'application/json' },
    body: latin1,
  })
  expect(await undecoded.text()).toContain('The body is not UTF-8')
  const cut = '--b\r\ncontent-disposition: form-data; name="pipeline"; filename="a.yaml"\r\n\r\nx'
  const head = [
    'POST /_pipeline HTTP/1.1',
    'host: localhost',
    `authorization: ${sluice.authorization}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${cut.length}`,
    'connection: close',
  ]
  const answer = await sendRaw(sluice.gateway, `${head.join('\r\n')}\r\n\r\n${cut}`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*The form cannot be read/)
})

test('more than 32 MiB are refused, and so is a form of another page', async () => {
  const text = 'x'.repeat(33 * 1024 * 1024)
  const large = await callApi(sluice, 'POST', '/_pipeline', {
    form: { pipeline: { text, fileName: 'a.yaml' } },
  })
  expect([large.status, large.body.error.message]).toEqual([
    413,
    'The body is larger than the 32 MB this API takes',
  ])
  const foreign = await callApi(sluice, 'POST', '/_pipeline', {
    form: { pipeline: { text: '', fileName: 'a.yaml' } },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect([foreign.status, foreign.body.error.type]).toEqual([403, 'FORBIDDEN'])
})
