import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { callApi } from '../support/pipeline-api.ts'
import { type Sluice, startSluice } from '../support/start-sluice.ts'

/** Answers late where the path asks for it, else as a search without hits. */
const engine = await startFakeEngine((request, response) => {
  response.setHeader('content-type', 'application/json')
  const answer = { took: 3, responses: [{ took: 2, status: 200, hits: { total: { value: 0 } } }] }
  if (request.url === '/slow') setTimeout(() => response.end('late'), 300)
  else response.end(JSON.stringify(answer))
})
let sluice: Sluice

beforeAll(async () => {
  sluice = await startSluice(['--engine', engine.url])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
})

const TWO_STAGES = `id: tried
envs: { greeting: hello }
trigger: { type: always, expression: 'false' }
enabled: false
routes:
  - path: /{index}/greet
    method: POST
    classify: { category: search }
stages:
  - id: first
    script: |
      const handleRequest = () => {
        console.log('body is', context.request.body)
        return { note: context.envs.greeting + ' ' + context.envs.index.join() }
      }
  - id: second
    scriptRef: second.js
`
const SECOND = `const handleRequest = () => ({
  response: { code: 201, headers: { 'x-a': 'b' }, body: context.note },
})`
const request = { body: '{"a":1}', headers: { 'X-Mine': '1' } }

test('a pipeline is run with a trace, whatever its trigger says, and nothing is saved', async () => {
  const { status, body } = await callApi(sluice, 'POST', '/_pipeline/validate', {
    form: {
      pipeline: { text: TWO_STAGES, fileName: 'tried.yaml' },
      'second.js': { text: SECOND, fileName: 'second.js' },
      request: JSON.stringify({ ...request, url: '/movies/greet?x=1' }),
    },
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    request: {
      method: 'POST',
      url: 'http://localhost/movies/greet?x=1',
      headers: { host: 'localhost', 'x-mine': '1' },
      body: '{"a":1}',
    },
    response: {
      code: 201,
      headers: expect.objectContaining({ 'x-a': 'b', 'x-sluice-pipeline': 'tried' }),
      body: 'hello movies',
    },
    envs: expect.objectContaining({
      greeting: 'hello',
      index: ['movies'],
      category: 'search',
      urlValues: { x: '1' },
    }),
    console_logs: ['body is {"a":1}'],
    stageChanges: [
      { id: 'first', took: expect.any(Number), context: expect.any(String) },
      { id: 'second', took: expect.any(Number), context: expect.any(String) },
    ],
    took: expect.any(Number),
  })
  const [first, second] = body.stageChanges.map(({ context }: { context: string }) =>
    JSON.parse(context),
  )
  expect(first).toMatchObject({ note: 'hello movies', response: { code: 200, body: '' } })
  expect(second).toMatchObject({ note: 'hello movies', response: { code: 201 } })
  expect((await callApi(sluice, 'GET', '/_pipelines')).body).toEqual([])
})

test('verbose=false tells what each stage changed; a JSON body does what a form does', async () => {
  const { body } = await callApi(sluice, 'POST', '/_pipeline/validate?verbose=false', {
    json: {
      pipeline: { content: TWO_STAGES, extension: 'yaml' },
      scripts: { 'second.js': { content: SECOND } },
      request: { ...request, body: { a: 1 }, envs: { greeting: 'bye' } },
    },
  })
  const changes = body.stageChanges.map(({ context }: { context: string }) => JSON.parse(context))
  expect(changes).toEqual([
    { note: 'bye _all' },
    { response: { code: 201, headers: { 'x-a': 'b' }, body: 'bye _all' } },
  ])
  expect(body.request.body).toBe('{"a":1}')
})

test('a request body given as JSON keeps every digit', async () => {
  const body = '{"id":12345678901234567890,"price":1.10}'
  const content = `id: digits
routes: [{ path: /x, method: POST }]
stages: [{ use: customData, inputs: { data: 1 } }]`
  const pipeline = JSON.stringify({ content, extension: 'yaml' })
  const reply = await callApi(sluice, 'POST', '/_pipeline/validate', {
    form: { pipeline, request: `{"body":${body}}` },
  })
  expect(reply.body.request.body).toBe(body)
})

test('a failing run has the same shape, and the status of its failure', async () => {
  const content = `id: fails
routes: [{ path: /x, method: GET }]
stages:
  - id: breaks
    continueOnError: false
    script: |
      const handleRequest = () => { throw new Error('broken') }
`
  const { status, body } = await callApi(sluice, 'POST', '/_pipeline/validate', {
    json: { pipeline: { content, extension: 'yaml' } },
  })
  expect(status).toBe(500)
  expect(body.response.code).toBe(500)
  expect(JSON.parse(body.response.body as string).error).toMatchObject({
    code: 500,
    type: 'SCRIPT_THREW',
    message: expect.stringContaining('from stage with ID: breaks'),
  })
  expect(body.stageChanges).toEqual([
    expect.objectContaining({ id: 'breaks', error: expect.stringContaining('broken') }),
  ])
})

test('texts with mistakes and addresses that fit no route are refused', async () => {
  const validate = (content: string, more = {}) =>
    callApi(sluice, 'POST', '/_pipeline/validate', {
      json: { pipeline: { content, extension: 'yaml' }, request: { headers: {}, ...more } },
    })
  const wrong = await validate('routes: []\nstages: [{ use: nothing }]')
  expect([wrong.status, wrong.body.error.diagnostics.length > 1]).toEqual([400, true])
  const text =
    'routes: [{ path: /x, method: GET }]\nstages: [{ use: customData, inputs: { data: 1 } }]'
  const away = await validate(text, { url: 'http://localhost/y', method: 'PUT' })
  expect([away.status, away.body.error.message]).toEqual([
    400,
    'The pipeline has no route for PUT /y; it listens on GET /x',
  ])
})

test('stages in the background are reported later under the id of the run', async () => {
  const content = `id: waits
routes: [{ path: /x, method: GET }]
stages:
  - id: slow
    async: true
    script: |
      const handleRequest = async () => {
        const answer = await fetch('${engine.url}/slow')
        console.log('came ' + answer.body)
        return { late: answer.body }
      }
  - id: fast
    script: |
      const handleRequest = () => ({ response: { code: 200, body: 'now' } })
`
  const { body } = await callApi(sluice, 'POST', '/_pipeline/validate?verbose=false', {
    json: { pipeline: { content, extension: 'yaml' } },
  })
  expect([body.response.body, body.id]).toEqual(['now', expect.any(String)])
  expect(body.stageChanges.map(({ id }: { id: string }) => id)).toEqual(['fast'])
  const report = async () => (await callApi(sluice, 'GET', `/_pipeline/validate/${body.id}`)).body
  let later = await report()
  while (!later.done) {
    await sleep(20)
    later = await report()
  }
  expect(later).toEqual({
    id: body.id,
    done: true,
    console_logs: ['came late'],
    stageChanges: [
      { id: 'slow', took: expect.any(Number), context: '{"slow":{"late":"late"},"late":"late"}' },
    ],
    took: expect.any(Number),
  })
  const unknown = await callApi(sluice, 'GET', '/_pipeline/validate/nothing')
  expect([unknown.status, unknown.body.error.type]).toEqual([404, 'NOT_FOUND'])
})

test('secrets are used by the run and masked in everything it tells', async () => {
  await callApi(sluice, 'POST', '/_pipelines/env', {
    json: { key: 'STORED', value: 'stored-secret-value' },
  })
  const content = `id: tells
global_envs:
  - { key: OWN, value: own-secret-value }
routes: [{ path: /x, method: GET }]
stages:
  - id: tell
    script: |
      const handleRequest = () => {
        const { OWN, STORED } = context.envs
        console.log(OWN)
        return { length: OWN.length + STORED.length, response: { code: 200, body: OWN + STORED } }
      }
`
  const { status, body } = await callApi(sluice, 'POST', '/_pipeline/validate', {
    json: { pipeline: { content, extension: 'yaml' } },
  })
  expect([status, body.response.body, body.envs]).toEqual([
    200,
    '••••••••',
    expect.objectContaining({ OWN: '••••', STORED: '••••' }),
  ])
  expect(JSON.parse(body.stageChanges[0].context as string)).toMatchObject({ length: 35 })
  expect(JSON.stringify(body)).not.toMatch(/own-secret|stored-secret/)
  expect((await callApi(sluice, 'GET', '/_pipelines/envs')).body.length).toBe(1)
})

test('what the engine is sent is what the pipeline makes of the request', async () => {
  const content = `id: searches
routes:
  - { path: '/{index}/_declarative', method: POST, classify: { category: declarative } }
stages:
  - use: replaceSearchTerm
    inputs: { data: matrix }
  - use: declarativeQuery
    continueOnError: false
  - use: searchEngineQuery
    continueOnError: false
`
  const query = [{ id: 'q', type: 'search', dataField: ['title'], value: 'x' }]
  const { status, body } = await callApi(sluice, 'POST', '/_pipeline/validate', {
    json: {
      pipeline: { content, extension: 'yaml' },
      request: { body: { query }, url: '/movies/_declarative', headers: {} },
    },
  })
  expect([status, body.response.code]).toEqual([200, 200])
  expect(JSON.parse(body.response.body as string)).toMatchObject({
    q: { hits: { total: { value: 0 } } },
  })
  expect(body.envs).toMatchObject({ category: 'declarative', index: ['movies'], query: 'x' })
  expect(body.stageChanges.map(({ id }: { id: string }) => id)).toEqual([
    'replaceSearchTerm',
    'declarativeQuery',
    'searchEngineQuery',
  ])
  const [sent] = engine.seen.filter(({ url }) => url.startsWith('/movies'))
  expect([sent?.method, sent?.url]).toEqual(['POST', '/movies/_msearch'])
  expect(sent?.body).toContain('matrix')
  expect(body.request).toMatchObject({ url: expect.stringContaining('/movies/_msearch') })
})
