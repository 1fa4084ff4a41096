import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getHello, helloForm, helloYaml } from '../support/hello-pipeline.ts'
import { callApi } from '../support/pipeline-api.ts'
import { runSluice, startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engine = ['--engine', 'http://127.0.0.1:9']

test('without a workspace pipelines lie in the state store, and are served over a restart', async () => {
  using data = temporaryFolder()
  let sluice = await startSluice(engine, { dataDir: data.dir })
  const created = await callApi(sluice, 'POST', '/_pipeline', { form: helloForm('one') })
  const { id } = created.body as { id: string }
  expect(created.status).toBe(201)
  await callApi(sluice, 'POST', `/_pipeline/${id}/version`, { form: helloForm('two') })
  const answers = async () => [
    await getHello(sluice.gateway),
    await getHello(sluice.gateway, '/v1'),
    await getHello(sluice.gateway, '/v2'),
  ]
  expect(await answers()).toEqual(['200 one', '200 one', '200 two'])
  await callApi(sluice, 'POST', `/_pipeline/${id}/version/2/live`)
  await sluice.stop()

  sluice = await startSluice(engine, { dataDir: data.dir })
  expect(await answers()).toEqual(['200 two', '200 one', '200 two'])
  const { body } = await callApi(sluice, 'GET', `/_pipeline/${id}`)
  expect(body).toMatchObject({ content: helloYaml(), _version: 2, is_live: true })
  await callApi(sluice, 'DELETE', `/_pipeline/${id}`)
  for (const prefix of ['', '/v1', '/v2'])
    expect(await getHello(sluice.gateway, prefix)).toMatch(/^401/)
  await sluice.stop()
})

test('variables made over the API reach runs at once, sealed at rest, over a restart', async () => {
  using data = temporaryFolder()
  let sluice = await startSluice(engine, { dataDir: data.dir })
  const form = helloForm('')
  form['answer.js'].text =
    'function handleRequest() {\n  return { response: { code: 200, body: String(context.envs.TOKEN) } }\n}\n'
  await callApi(sluice, 'POST', '/_pipeline', { form })
  await callApi(sluice, 'POST', '/_pipelines/env', {
    json: { key: 'TOKEN', value: 'a-secret-value' },
  })
  expect(await getHello(sluice.gateway)).toBe('200 a-secret-value')
  await sluice.stop()
  sluice = await startSluice(engine, { dataDir: data.dir })
  expect(await getHello(sluice.gateway)).toBe('200 a-secret-value')
  await callApi(sluice, 'DELETE', '/_pipelines/env/TOKEN')
  expect(await getHello(sluice.gateway)).toBe('200 undefined')
  await sluice.stop()
  for (const file of readdirSync(data.dir).filter((name) => name.startsWith('state.db')))
    expect(readFileSync(join(data.dir, file)).includes('a-secret-value')).toBe(false)
})

test.each<[flags: string[], message: string]>([
  [['--state', 'cluster'], '--state cluster needs --engine URL'],
  [[...engine, '--state', 'cluster', '--workspace', '.'], 'leave out --workspace'],
  [[...engine, '--state', 'cluster'], '--state cluster needs SLUICE_SECRET_KEY'],
  [[...engine, '--state', 'shared'], '--state takes local or cluster, not "shared"'],
  [[...engine, '--sync', '0'], '--sync takes seconds from 0.1 to 3600, not "0"'],
])('sluice serve %j says %s', async (flags, message) => {
  const { code, stderr } = await runSluice(['serve', '--port', '0', ...flags])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
