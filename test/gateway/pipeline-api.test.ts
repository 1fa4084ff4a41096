import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteState } from '../../gateway/state/sqlite.ts'
import { hashPassword } from '../../gateway/access/passwords.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engineFlags = ['--engine', 'http://127.0.0.1:9']

test('the API is behind credentials, and says what is not there', async () => {
  await using sluice = await startSluice(engineFlags)
  const { authorization } = sluice
  const ask = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(sluice.gateway + path, init)
    return { reply, body: (await reply.json()) as { error?: { message: string; type: string } } }
  }
  const open = await ask('/_pipeline/schema')
  expect([open.reply.status, open.body.error?.type]).toEqual([401, 'UNAUTHORIZED'])
  expect(open.reply.headers.get('www-authenticate')).toMatch(/^Basic /)
  const schema = await ask('/_pipeline/schema?x=1', { headers: { authorization } })
  expect([schema.reply.status, schema.body]).toEqual([
    200,
    expect.objectContaining({ properties: expect.objectContaining({ stages: expect.anything() }) }),
  ])
  const missing = await ask('/_pipelines/nothing/here', { headers: { authorization } })
  expect([missing.reply.status, missing.body.error?.type]).toEqual([404, 'NOT_FOUND'])
  const method = await ask('/_pipeline/x/versions', {
    method: 'DELETE',
    headers: { authorization },
  })
  expect([method.reply.status, method.reply.headers.get('allow')]).toEqual([405, 'GET'])
})

test('a credential that is no administrator gets 403, which names the category', async () => {
  using folder = temporaryFolder()
  const state = openSqliteState(join(folder.dir, 'state.db'))
  for (const [username, admin] of [
    ['root', true],
    ['reader', false],
  ] as const)
    state.put('credential', username, { username, hash: await hashPassword('pw'), admin })
  state.close()
  await using sluice = await startSluice(engineFlags, { dataDir: folder.dir })
  const pair = Buffer.from('reader:pw').toString('base64')
  const reply = await fetch(`${sluice.gateway}/_pipelines`, {
    headers: { authorization: `Basic ${pair}` },
  })
  expect(reply.status).toBe(403)
  expect(await reply.text()).toContain('may not use category \\"pipelines\\"')
})

test('paths that only begin like the API pass through to the engine', async () => {
  await using engine = await startFakeEngine((_request, response) => response.end('{}'))
  await using sluice = await startSluice(['--engine', engine.url])
  for (const path of ['/_pipelinesque', '/_analytics/other', '/_ingest/pipeline'])
    await fetch(sluice.gateway + path, { headers: { authorization: sluice.authorization } })
  expect(engine.seen.map(({ url }) => url)).toEqual([
    '/_pipelinesque',
    '/_analytics/other',
    '/_ingest/pipeline',
  ])
})
