import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { type Sluice, startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engineFlags = ['--engine', 'http://127.0.0.1:9']
const SECRET = 'sk-very-secret-1'

let sluice: Sluice
beforeAll(async () => {
  process.env.TEST_BEHIND_A_NAME = 'behind-a-name'
  sluice = await startSluice(engineFlags)
})
afterAll(() => sluice.stop())

const pipeline = (id: string, extra = '', stage = 'inputs: { data: { a: 1 } }') => `id: ${id}
routes:
  - path: /${id}
    method: GET
stages:
  - use: customData
    ${stage}
${extra}`
const asJson = (content: string) => ({ json: { pipeline: { content, extension: 'yaml' } } })

test('a global env is created, read masked, changed and deleted', async () => {
  using data = temporaryFolder()
  const sluice = await startSluice(engineFlags, { dataDir: data.dir })
  const entry = {
    key: 'API_KEY',
    value: SECRET,
    label: 'Key',
    description: 'of the shop',
    validate: { url: 'http://localhost/', expected_status: 200 },
  }
  const created = await callApi(sluice, 'POST', '/_pipelines/env', { json: entry })
  expect([created.status, created.body]).toEqual([
    200,
    {
      ...entry,
      value: '••••',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      etag: created.headers.get('etag')?.slice(1, -1),
    },
  ])
  expect((await callApi(sluice, 'GET', '/_pipelines/env/API_KEY')).body).toEqual(created.body)
  expect((await callApi(sluice, 'GET', '/_pipelines/envs')).body).toEqual([created.body])

  const twice = await callApi(sluice, 'POST', '/_pipelines/env', { json: entry })
  expect([twice.status, twice.body.error.message]).toEqual([
    400,
    'A global env "API_KEY" exists; change it with PUT /_pipelines/env/API_KEY',
  ])
  for (const json of [{ key: 'X' }, { value: 'x' }, { key: 'a b', value: 'x' }])
    expect((await callApi(sluice, 'POST', '/_pipelines/env', { json })).status).toBe(400)

  // What was read masked can be sent back: dots keep the value.
  const updated = await callApi(sluice, 'PUT', '/_pipelines/env/API_KEY', {
    json: { ...created.body, label: 'New' },
    headers: { 'if-match': created.headers.get('etag') ?? '' },
  })
  expect([updated.status, updated.body]).toEqual([
    200,
    { code: 200, status: 'OK', message: 'Environment updated sucessfully!', read_by: [] },
  ])
  const shown = await callApi(sluice, 'GET', '/_pipelines/env/API_KEY?reveal=true')
  expect(shown.body).toMatchObject({ value: SECRET, label: 'New', id: created.body.id })

  const stale = { headers: { 'if-match': created.headers.get('etag') ?? '' } }
  for (const [method, init] of [
    ['PUT', { json: { value: 'x' }, ...stale }],
    ['DELETE', stale],
  ] as const) {
    const reply = await callApi(sluice, method, '/_pipelines/env/API_KEY', init)
    expect([reply.status, reply.body.error.type]).toEqual([412, 'ETAG_MISMATCH'])
  }
  const renamed = await callApi(sluice, 'PUT', '/_pipelines/env/API_KEY', {
    json: { key: 'OTHER', value: 'x' },
  })
  expect(renamed.status).toBe(422)

  const deleted = await callApi(sluice, 'DELETE', '/_pipelines/env/API_KEY')
  expect([deleted.status, deleted.body.message]).toEqual([200, 'Environment deleted successfully!'])
  for (const method of ['GET', 'DELETE'])
    expect((await callApi(sluice, method, '/_pipelines/env/API_KEY')).status).toBe(404)

  await sluice.stop()
  const disk = readdirSync(data.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
  expect([disk.join('').includes(SECRET), sluice.log().includes(SECRET)]).toEqual([false, false])
})

test('showing a value is written to the log and to the audit log, which outlives the process', async () => {
  using data = temporaryFolder()
  const sluice = await startSluice(engineFlags, { dataDir: data.dir })
  await callApi(sluice, 'POST', '/_pipelines/env', { json: { key: 'K', value: SECRET } })
  await callApi(sluice, 'GET', '/_pipelines/env/K')
  await callApi(sluice, 'GET', '/_pipelines/env/K?reveal=true')
  await callApi(sluice, 'GET', '/_pipelines/envs?reveal=true')
  await sluice.stop()
  const entry = { action: 'reveal-global-env', username: sluice.username, key: 'K' }
  const lines = sluice
    .log()
    .split('\n')
    .filter((line) => line.includes('"audit"'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'info', event: 'audit', ...entry }),
    expect.objectContaining({ level: 'info', event: 'audit', ...entry }),
  ])
  const db = new DatabaseSync(join(data.dir, 'state.db'))
  const kept = db.prepare("select value from documents where kind = 'audit' order by key").all()
  db.close()
  expect(kept.map(({ value }) => JSON.parse(String(value)) as unknown)).toEqual([
    { at: expect.any(String), ...entry },
    { at: expect.any(String), ...entry },
  ])
})

test('saving a pipeline sets its global envs, tells who else reads them and keeps them out of the text', async () => {
  using workspace = makeWorkspace({})
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  const reads = async (id: string, stage: string) => {
    const { status, body } = await callApi(
      sluice,
      'POST',
      '/_pipeline',
      asJson(pipeline(id, '', stage)),
    )
    expect([status, body.error]).toEqual([201, undefined])
  }
  await reads('by-input', "inputs: { data: '{{API_KEY}}' }")
  await reads(
    'by-trigger',
    `inputs: { data: 1 }\n    trigger: { expression: 'envs.API_KEY == "x"' }`,
  )
  await reads('not', "inputs: { data: 'API_KEY' }")
  await callApi(
    sluice,
    'POST',
    '/_pipeline',
    asJson(pipeline('own', 'envs: { API_KEY: mine }', "inputs: { data: '{{API_KEY}}' }")),
  )
  const globals = (value: string) => `global_envs:
  - key: API_KEY # of the shop
    value: ${value}
    validate: { url: 'http://localhost/\${API_KEY}' }
`
  const created = await callApi(
    sluice,
    'POST',
    '/_pipeline',
    asJson(pipeline('sets', globals(SECRET))),
  )
  expect([created.status, created.body.changed_envs]).toEqual([
    201,
    [{ key: 'API_KEY', read_by: ['by-input', 'by-trigger'] }],
  ])
  expect(created.body.global_envs[0].value).toBe('••••')
  const text = pipeline('sets', globals('"••••"'))
  expect(readFileSync(join(workspace.dir, 'pipelines/sets.yaml'), 'utf8')).toBe(text)
  const read = await callApi(sluice, 'GET', '/_pipeline/sets')
  expect(read.body.content).toBe(text)
  const value = async () =>
    (await callApi(sluice, 'GET', '/_pipelines/env/API_KEY?reveal=true')).body.value as unknown
  expect(await value()).toBe(SECRET)

  // What was read can be saved again: the dots keep the value.
  const same = await callApi(sluice, 'PUT', '/_pipeline/sets', asJson(read.body.content as string))
  expect([same.status, same.body.changed_envs, await value()]).toEqual([200, [], SECRET])
  const other = await callApi(
    sluice,
    'PUT',
    '/_pipeline/sets',
    asJson(pipeline('sets', globals('another-value'))),
  )
  expect([other.body.changed_envs[0].read_by, await value()]).toEqual([
    ['by-input', 'by-trigger'],
    'another-value',
  ])
  const changed = await callApi(sluice, 'PUT', '/_pipelines/env/API_KEY', {
    json: { value: SECRET },
  })
  expect(changed.body.read_by).toEqual(['by-input', 'by-trigger', 'sets'])
})

test('a value an author wrote into a file is never told; saving what was read takes it out', async () => {
  const text = (value: string) =>
    pipeline('wrote', `global_envs: [{ key: MINE, value: ${value} }]\n`)
  using workspace = makeWorkspace({ 'pipelines/wrote.yaml': text(SECRET) })
  await using own = await startSluice([...engineFlags, '--workspace', workspace.dir])
  const read = await callApi(own, 'GET', '/_pipeline/wrote')
  expect(read.body.content).toBe(text('"••••"'))
  const saved = await callApi(own, 'PUT', '/_pipeline/wrote', asJson(read.body.content as string))
  expect([saved.status, saved.body.changed_envs]).toEqual([200, []])
  expect(readFileSync(join(workspace.dir, 'pipelines/wrote.yaml'), 'utf8')).toBe(text('"••••"'))
  const shown = await callApi(own, 'GET', '/_pipelines/env/MINE?reveal=true')
  expect(shown.body.value).toBe(SECRET)
})

test('what stands behind ${{NAME}} is not told by what a save answers', async () => {
  const text = pipeline('named', 'envs: { given: "x-${{TEST_BEHIND_A_NAME}}" }\n')
  const created = await callApi(sluice, 'POST', '/_pipeline', asJson(text))
  await callApi(sluice, 'DELETE', '/_pipeline/named')
  expect(created.body.envs).toEqual({ given: 'x-${{TEST_BEHIND_A_NAME}}' })
})

test('dots without a stored value, and values behind an anchor, are refused with their place', async () => {
  const told = async (extra: string) => {
    const { status, body } = await callApi(
      sluice,
      'POST',
      '/_pipeline',
      asJson(pipeline('p', extra)),
    )
    const errors = (body.error.diagnostics as Diagnostic[]).filter(
      ({ severity }) => severity === 'error',
    )
    return [status, errors.map(({ code, source }) => [code, source.line])]
  }
  expect(await told('global_envs: [{ key: NEW, value: "••••" }]\n')).toEqual([
    400,
    [['env-value-missing', 8]],
  ])
  expect(await told('x: &v abc\nglobal_envs: [{ key: NEW, value: *v }]\n')).toEqual([
    400,
    [['env-value-by-anchor', 9]],
  ])
  expect((await callApi(sluice, 'GET', '/_pipelines')).body).toEqual([])
})

test('a variable is checked by the gateway; its value is sent and never told', async () => {
  await using target = await startFakeEngine((request, response) => {
    const isRight = request.headers.authorization === `Basic ${btoa(`me:${SECRET}`)}`
    response.statusCode = isRight ? 204 : 401
    response.end(isRight ? undefined : `no ${request.headers.authorization}`)
  })
  const validate = {
    url: `${target.url}/check?who=\${USER}`,
    method: 'POST',
    headers: { Authorization: '`Basic ${btoa("me:" + ${CHECKED})}`' },
    body: { list: ['${USER}', 5] },
    expected_status: 204,
  }
  await callApi(sluice, 'POST', '/_pipelines/env', { json: { key: 'USER', value: 'somebody' } })
  const check = (json: object) => callApi(sluice, 'POST', '/_pipelines/env/validate', { json })
  const right = await check({ key: 'CHECKED', value: SECRET, validate })
  expect([right.status, right.body]).toEqual([
    200,
    {
      valid: true,
      status: 204,
      expected_status: 204,
      took: expect.any(Number),
      message: '"CHECKED" is valid: the check answered 204',
    },
  ])
  expect(target.seen[0]).toMatchObject({
    method: 'POST',
    url: '/check?who=somebody',
    body: '{"list":["somebody",5]}',
  })
  await callApi(sluice, 'POST', '/_pipelines/env', {
    json: { key: 'CHECKED', value: 'wrong-value', validate },
  })
  const wrong = await check({ key: 'CHECKED' })
  expect(wrong.body).toMatchObject({ valid: false, status: 401, expected_status: 204 })
  expect(JSON.stringify(wrong.body)).not.toContain('wrong-value')

  const misread = await check({
    key: 'CHECKED',
    validate: { ...validate, headers: { Authorization: '`Basic ${btoa(CHECKED}`' } },
  })
  expect([misread.status, misread.body.error.message]).toEqual([
    400,
    'validate.headers.Authorization, column 22: Expected ) or +, found "}"',
  ])
  const unknown = await check({ key: 'CHECKED', validate: { url: 'http://x/${NOPE}' } })
  expect(unknown.body.error.message).toBe('validate.url, column 10: There is no variable "NOPE"')
  const bare = await check({ key: 'USER' })
  expect([bare.status, bare.body.error.message]).toEqual([
    400,
    '"USER" has no validate request; add one with url and method',
  ])
})

test('checks obey the outbound rules, follow no redirect and tell no value in what went wrong', async () => {
  await using target = await startFakeEngine((_request, response) => {
    response.writeHead(302, { location: '/elsewhere' })
    response.end()
  })
  const check = async (url: string, value = SECRET) => {
    const json = { key: 'K', value, validate: { url } }
    return (await callApi(sluice, 'POST', '/_pipelines/env/validate', { json })).body as unknown
  }
  expect(await check(`${target.url}/a`)).toMatchObject({ valid: false, status: 302 })
  expect(target.seen.length).toBe(1)
  const metadata = await check('http://169.254.169.254/latest')
  expect(metadata).toMatchObject({
    valid: false,
    message: expect.stringContaining('an address that outgoing calls may not reach'),
  })
  expect(metadata).not.toHaveProperty('status')
  const dead = await check('http://127.0.0.1:9/path/${K}?k=${K}')
  expect(dead).toMatchObject({ valid: false, message: expect.stringContaining('/path/••••') })
  for (const [url, value] of [
    ['http://${K}.invalid/a', 'PlantedHost'],
    ['http://${K}.invalid/a', 'planted//other.invalid/#'],
    ['http://127.0.0.1:9/${K}', 'planted?planted'],
    ['http://${K}/', '169.254.169.254'],
  ] as const)
    expect(JSON.stringify(await check(url, value))).not.toMatch(/planted|other|169/i)
  const strange = await check('${K}', 'ftp://secret value')
  expect(JSON.stringify(strange)).toMatch(/\\"••••\\" is no http or https address/)
})
