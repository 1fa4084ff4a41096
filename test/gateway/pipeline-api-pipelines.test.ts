import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engineFlags = ['--engine', 'http://127.0.0.1:9']

const TEXT = `# greets
id: hello   # the id
description: says hello
routes:
  - path: /hello
    method: GET
stages:
  - id: greet
    scriptRef: scripts/greet.js
    continueOnError: false
`
const greet = (word: string) =>
  `const handleRequest = () => ({ response: { code: 200, body: '${word}' } })\n`
const form = (text = TEXT, word = 'hello', fileName = 'hello.yaml') => ({
  pipeline: { text, fileName },
  'scripts/greet.js': { text: greet(word), fileName: 'greet.js' },
})

/** A gateway with and without a workspace; both keep what they were told. */
async function start(kind: string) {
  const folder = kind === 'workspace' ? makeWorkspace({}) : temporaryFolder()
  const data = temporaryFolder()
  const flags = [...engineFlags, ...(kind === 'workspace' ? ['--workspace', folder.dir] : [])]
  let sluice = await startSluice(flags, { dataDir: data.dir })
  return {
    dir: folder.dir,
    get sluice() {
      return sluice
    },
    async restart() {
      await sluice.stop()
      sluice = await startSluice(flags, { dataDir: data.dir })
    },
    ask: (...call: [string, string, Parameters<typeof callApi>[3]?]) => callApi(sluice, ...call),
    text: async (path: string) => {
      const { authorization } = sluice
      const reply = await fetch(sluice.gateway + path, { headers: { authorization } })
      return reply.text()
    },
    async [Symbol.asyncDispose]() {
      await sluice.stop()
      folder[Symbol.dispose]()
      data[Symbol.dispose]()
    },
  }
}

describe.each(['workspace', 'state store'])('in a %s', (kind) => {
  let gateway: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    gateway = await start(kind)
  })
  afterEach(async () => {
    const { body } = await gateway.ask('GET', '/_pipelines')
    for (const { id } of body) await gateway.ask('DELETE', `/_pipeline/${id}`)
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  test('a pipeline is created, served, read, changed, kept over a restart and deleted', async () => {
    const created = await gateway.ask('POST', '/_pipeline', { form: form() })
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({
        id: 'hello',
        _version: 1,
        is_live: true,
        enabled: true,
        priority: 0,
        routes: [{ path: '/hello', method: 'GET' }],
        changed_envs: [],
      }),
    ])
    const etag = created.headers.get('etag')
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(await gateway.text('/hello')).toBe('hello')

    const read = await gateway.ask('GET', '/_pipeline/hello')
    expect([read.status, read.headers.get('etag')]).toEqual([200, etag])
    expect(read.body).toEqual({
      id: 'hello',
      _version: 1,
      is_live: true,
      enabled: true,
      priority: 0,
      description: 'says hello',
      routes: [{ path: '/hello', method: 'GET' }],
      created_at: expect.any(Number) as number,
      updated_at: expect.any(Number) as number,
      content: TEXT,
      extension: 'yaml',
      usage: 1,
      etag: etag?.slice(1, -1),
    })
    expect((await gateway.ask('GET', '/_pipelines')).body).toEqual([read.body])
    const script = { id: 'hello', key: 'scripts/greet.js', extension: 'js' }
    expect(
      (await gateway.ask('GET', '/_pipeline/hello/scriptRef?key=scripts/greet.js')).body,
    ).toEqual({ ...script, content: greet('hello') })
    expect(
      (await gateway.ask('GET', '/_pipeline/hello/scriptRef/scripts%2Fgreet.js')).body,
    ).toEqual({ ...script, content: greet('hello') })

    const text = TEXT.replace('says hello', 'says more')
    const updated = await gateway.ask('PUT', '/_pipeline/hello', {
      json: {
        pipeline: { content: text, extension: 'yml', validateContext: '{}' },
        scripts: { 'scripts/greet.js': { content: greet('more'), extension: 'js' } },
      },
      headers: { 'if-match': etag ?? '' },
    })
    expect([updated.status, updated.body]).toEqual([
      200,
      {
        code: 200,
        status: 'OK',
        message: 'Pipeline updated succesfully',
        id: 'hello',
        _version: 1,
        changed_envs: [],
      },
    ])
    expect(await gateway.text('/hello')).toBe('more')
    if (kind === 'workspace')
      expect(readFileSync(join(gateway.dir, 'pipelines/hello.yaml'), 'utf8')).toBe(text)

    await gateway.restart()
    const later = await gateway.ask('GET', '/_pipeline/hello')
    expect(later.body).toMatchObject({
      content: text,
      validateContext: '{}',
      created_at: read.body.created_at,
    })
    expect(later.headers.get('etag')).toBe(updated.headers.get('etag'))
    expect(await gateway.text('/hello')).toBe('more')

    const deleted = await gateway.ask('DELETE', '/_pipeline/hello')
    expect([deleted.status, deleted.body.message]).toEqual([
      200,
      'Pipeline is deleted successfully',
    ])
    const gone = await gateway.ask('GET', '/_pipeline/hello')
    expect([gone.status, gone.body.error.message]).toEqual([
      404,
      'hello: invalid pipeline ID passed',
    ])
  })

  test('versions are added, tried below /v<N>, made live and changed', async () => {
    await gateway.ask('POST', '/_pipeline', { form: form() })
    const second = await gateway.ask('POST', '/_pipeline/hello/version', {
      form: { ...form(TEXT, 'second'), description: 'better' },
    })
    expect([second.status, second.body]).toEqual([
      201,
      expect.objectContaining({ code: 201, status: 'Created', _version: 2 }),
    ])
    expect([await gateway.text('/hello'), await gateway.text('/v2/hello')]).toEqual([
      'hello',
      'second',
    ])
    const live = await gateway.ask('POST', '/_pipeline/hello/version/2/live')
    expect(live.status).toBe(200)
    expect([await gateway.text('/hello'), await gateway.text('/v1/hello')]).toEqual([
      'second',
      'hello',
    ])
    const changed = await gateway.ask('PUT', '/_pipeline/hello/version/1', {
      form: form(TEXT, 'first'),
    })
    expect(changed.status).toBe(200)
    expect(await gateway.text('/v1/hello')).toBe('first')
    const { body } = await gateway.ask('GET', '/_pipeline/hello/versions')
    expect(
      body.map((item: Record<string, unknown>) => [
        item['_version'],
        item['is_live'],
        item['_version_description'],
      ]),
    ).toEqual([
      [1, false, undefined],
      [2, true, 'better'],
    ])
    const script = '/version/1/scriptRef?key=scripts/greet.js'
    expect((await gateway.ask('GET', `/_pipeline/hello${script}`)).body.content).toBe(
      greet('first'),
    )
    expect((await gateway.ask('GET', '/_pipeline/hello/version/2')).body._version).toBe(2)
    const missing = await gateway.ask('POST', '/_pipeline/hello/version/9/live')
    expect([missing.status, missing.body.error.message]).toEqual([
      404,
      'hello: there is no version 9; there are 1, 2',
    ])
  })

  test('every write is refused with 412 when the thing is not as the client saw it', async () => {
    const created = await gateway.ask('POST', '/_pipeline', { form: form() })
    const old = { headers: { 'if-match': created.headers.get('etag') ?? '' } }
    const any = { headers: { 'if-match': '*' } }
    await gateway.ask('PUT', '/_pipeline/hello', { form: form(TEXT, 'new'), ...any })
    const refusals: [string, string, boolean][] = [
      ['PUT', '/_pipeline/hello', true],
      ['DELETE', '/_pipeline/hello', false],
      ['POST', '/_pipeline/hello/version', true],
      ['PUT', '/_pipeline/hello/version/1', true],
      ['POST', '/_pipeline/hello/version/1/live', false],
    ]
    for (const [method, path, hasBody] of refusals) {
      const reply = await gateway.ask(method, path, { ...old, ...(hasBody && { form: form() }) })
      expect([method, path, reply.status, reply.body.error.type]).toEqual([
        method,
        path,
        412,
        'ETAG_MISMATCH',
      ])
    }
    const again = await gateway.ask('POST', '/_pipeline', { form: form(), ...any })
    expect(again.status).toBe(412)
    expect(await gateway.text('/hello')).toBe('new')
    const current = (await gateway.ask('GET', '/_pipeline/hello')).headers.get('etag') ?? ''
    const deleted = await gateway.ask('DELETE', '/_pipeline/hello', {
      headers: { 'if-match': `"other", ${current}` },
    })
    expect(deleted.status).toBe(200)
  })

  test('what cannot be a pipeline is refused with every problem and its place', async () => {
    const create = (text: string, fileName = 'hello.yaml') =>
      gateway.ask('POST', '/_pipeline', { form: form(text, 'x', fileName) })
    const wrong = await create(
      TEXT.replace('method: GET', 'method: FETCH') + '  - use: addFliter\n',
    )
    expect(wrong.status).toBe(400)
    expect(wrong.body.error).toMatchObject({
      type: 'PIPELINE_INVALID',
      message: expect.stringMatching(/^pipeline\.yaml:6:13: .* \(and 1 more\)$/),
      source: { line: 6, column: 13 },
      diagnostics: [
        { severity: 'warning', code: 'open-route', source: { file: 'pipeline.yaml' } },
        { severity: 'error', source: { line: 6, column: 13 } },
        { severity: 'error', code: 'unknown-use', source: { line: 11, column: 10 } },
      ],
    })
    const syntax = await gateway.ask('POST', '/_pipeline', {
      form: { ...form(), 'scripts/greet.js': { text: 'let let = 1', fileName: 'greet.js' } },
    })
    expect([syntax.status, syntax.body.error.message]).toEqual([
      400,
      expect.stringMatching(/scripts\/greet\.js:1:\d+: /),
    ])
    const both = await create(TEXT.replace('continueOnError: false', 'script: x'))
    expect([both.status, both.body.error.message]).toEqual([
      409,
      expect.stringContaining('either script or scriptRef, not both'),
    ])
    const ending = await create(TEXT, 'hello.toml')
    expect([ending.status, ending.body.error.type]).toEqual([422, 'UNPROCESSABLE'])
    const reserved = await create(TEXT.replace('id: hello', 'id: schema'))
    expect([reserved.status, reserved.body.error.message]).toEqual([
      400,
      'The id "schema" is a word of this API; choose another',
    ])
    expect((await gateway.ask('GET', '/_pipelines')).body).toEqual([])

    expect((await create(TEXT)).status).toBe(201)
    const twice = await create(TEXT)
    expect([twice.status, twice.body.error.type]).toEqual([409, 'CONFLICT'])
    const other = await gateway.ask('PUT', '/_pipeline/hello', {
      form: form(TEXT.replace('id: hello', 'id: other')),
    })
    expect([other.status, other.body.error.type]).toEqual([422, 'UNPROCESSABLE'])
    const unknown = await gateway.ask('PUT', '/_pipeline/nobody', { form: form() })
    expect([unknown.status, unknown.body.error.message]).toEqual([
      404,
      'nobody: invalid pipeline ID passed',
    ])
    const script = await gateway.ask('GET', '/_pipeline/hello/scriptRef?key=nothing.js')
    expect([script.status, script.body.error.message]).toEqual([
      404,
      'hello: no stage has the scriptRef "nothing.js"; there are scripts/greet.js',
    ])
  })

  test('of many saves with one etag exactly one wins', async () => {
    const created = await gateway.ask('POST', '/_pipeline', { form: form() })
    const headers = { 'if-match': created.headers.get('etag') ?? '' }
    const words = ['a', 'b', 'c', 'd', 'e', 'f']
    const replies = await Promise.all(
      words.map((word) =>
        gateway.ask('PUT', '/_pipeline/hello', { form: form(TEXT, word), headers }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412])
    expect(await gateway.text('/hello')).toBe(words[statuses.indexOf(200)])
  })

  test.each(['', '"id": "", '])('JSON with %j gets an id, and is kept as it is', async (id) => {
    const content = `{ ${id}"routes": [{"path": "/j", "method": "GET"}],
      "stages": [{"id": "a", "script": "const handleRequest = () => ({response: {body: 'json'}})"}] }`
    const created = await gateway.ask('POST', '/_pipeline', {
      form: { pipeline: JSON.stringify({ content, extension: 'json' }) },
    })
    expect([created.status, created.body.id]).toEqual([201, expect.stringMatching(/^[\w-]{8,}$/)])
    expect(created.headers.get('location')).toBe(`/_pipeline/${created.body.id}`)
    const read = await gateway.ask('GET', `/_pipeline/${created.body.id}`)
    expect([read.body.content, read.body.extension]).toEqual([content, 'json'])
    expect(await gateway.text('/j')).toBe('json')
  })
})
