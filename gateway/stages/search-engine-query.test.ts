import { expect, test } from 'vitest'
import { startFakeEngine } from '../../test/support/fake-engine.ts'
import { makeContext, makeServices, runStage } from '../../test/support/stage-run.ts'
import type { StageServices } from './define.ts'
import { declarativeQuery } from './declarative-query.ts'
import { searchEngineQuery } from './search-engine-query.ts'

const answering = (byUrl: Record<string, string>, status = 200) =>
  startFakeEngine((request, response) => {
    const body = byUrl[request.url ?? '']
    response.writeHead(body === undefined ? 404 : status, { 'content-type': 'application/json' })
    response.end(body ?? '{"error":"no such answer"}')
  })

/** Translates and asks, as a declarative pipeline does. */
async function search(body: string, services: StageServices, envs = {}) {
  const context = makeContext({ request: { body, headers: { authorization: 'Basic x' } }, envs })
  const translated = await runStage(declarativeQuery, context, {}, services)
  return runStage(searchEngineQuery, translated, {}, services)
}

const two = '{"query":[{"id":"a"},{"id":"b","type":"term","dataField":"x"}]}'
const hit = '{"took":1,"hits":{"hits":[{"_index":"movies","_source":{"n":9007199254740993}}]}}'

test('a declarative route asks _msearch and answers by query id, to the digit', async () => {
  await using engine = await answering({
    '/movies,books/_msearch?typed_keys=true': `{"took":7,"responses":[${hit},{"error":{},"status":400}]}`,
  })
  const services = makeServices(
    { category: 'declarative', indices: ['movies', 'books'], pipelineId: 'p' },
    { engine: engine.url },
  )
  const urlValues = { preference: 'x', debug: 'true', typed_keys: true }
  const { response, request } = await search(two, services, { urlValues })
  expect(response.body).toBe(
    `{"settings":{"took":7,"pipelineId":"p"},"a":${hit},"b":{"error":{},"status":400}}`,
  )
  expect(engine.seen).toHaveLength(1)
  expect(engine.seen[0]?.body).toBe(request.body)
  expect(request).toMatchObject({ method: 'POST', url: '/movies,books/_msearch?typed_keys=true' })
  expect(request.headers).toEqual({
    'accept-encoding': 'identity',
    'content-type': 'application/x-ndjson',
  })
})

test('index names are replaced by the alias that was asked for, in _index only', async () => {
  const source = '{"_index":"movies_1","note":"\\"_index\\":\\"movies_1\\""}'
  const first = `{"hits":{"hits":[{"_index":"movies_1","_source":${source}}]}}`
  await using engine = await answering({
    '/movies/_msearch': `{"took":1,"responses":[${first},{"hits":{"hits":[]}}]}`,
    '/_alias/movies': '{"movies_1":{"aliases":{"movies":{},"other":{}}}}',
  })
  const route = { category: 'declarative', indices: ['movies'] }
  const { response } = await search(two, makeServices(route, { engine: engine.url }))
  expect(response.body).toContain(`{"_index":"movies","_source":${source}}`)
})

test('a refused _msearch has its error at the top level, and its status', async () => {
  const refusal = '{"error":{"type":"index_not_found_exception"},"status":404}'
  await using engine = await answering({ '/movies/_msearch': refusal }, 404)
  const route = { category: 'declarative', indices: ['movies'] }
  const { response } = await search(two, makeServices(route, { engine: engine.url }))
  expect(response).toMatchObject({
    code: 404,
    body: '{"settings":{"took":0},"error":{"type":"index_not_found_exception"}}',
  })
})

test('an answer that is no JSON stays what it is', async () => {
  await using engine = await answering({ '/_msearch': '<h1>Bad gateway</h1>' }, 502)
  const services = makeServices({ category: 'declarative' }, { engine: engine.url })
  const { response } = await search(two, services)
  expect(response).toMatchObject({ code: 502, body: '<h1>Bad gateway</h1>' })
})

test('nothing to ask is no request, and suggestions that are off answer without hits', async () => {
  await using engine = await answering({})
  const services = makeServices({ category: 'declarative' }, { engine: engine.url })
  const off = '{"query":[{"id":"s","type":"suggestion","enableIndexSuggestions":false}]}'
  const { response } = await search(off, services)
  expect(JSON.parse(response.body)).toMatchObject({
    settings: { took: 0 },
    s: { hits: { total: { value: 0 }, hits: [] } },
  })
  expect(engine.seen).toEqual([])
})

test('what was asked for and left out is said in the settings', async () => {
  await using engine = await answering({ '/_msearch': '{"took":1,"responses":[{}]}' })
  const services = makeServices({ category: 'declarative' }, { engine: engine.url })
  const range = '{"query":[{"id":"r","type":"range","dataField":"x","aggregations":["histogram"]}]}'
  const { response } = await search(range, services)
  expect(JSON.parse(response.body)).toEqual({
    settings: { took: 1, warnings: [expect.stringContaining('Query "r": a histogram needs')] },
    r: {},
  })
})

test('endpoint queries run at their endpoint without credentials, and never shift answers', async () => {
  await using engine = await answering({ '/_msearch': '{"took":1,"responses":[{"n":1}]}' })
  await using far = await answering({
    '/q': '{"far":{"hits":1.0},"settings":{}}',
    '/bare': '[1.0]',
  })
  const services = makeServices({ category: 'declarative' }, { engine: engine.url })
  const at = (path: string) => `"endpoint":{"url":"${far.url}${path}"}`
  const body = `{"query":[{"id":"far",${at('/q')}},{"id":"bare",${at('/bare')}},{"id":"a"},{"id":"no","endpoint":{"url":"/relative"}}]}`
  const { response } = await search(body, services)
  expect(response.body).toContain('"far":{"hits":1.0},"bare":[1.0],"a":{"n":1},"no":{"error":')
  expect(far.seen.map(({ method }) => method)).toEqual(['POST', 'POST'])
  expect(far.seen[0]?.rawHeaders.join().toLowerCase()).not.toContain('authorization')
})

test('an answer cannot be sorted before anything was translated', async () => {
  const services = makeServices({ category: 'declarative' })
  const run = runStage(searchEngineQuery, makeContext({ request: { body: two } }), {}, services)
  await expect(run).rejects.toThrow('put declarativeQuery before this stage')
})

test('other routes send what the request says, and pass any answer on', async () => {
  await using engine = await answering({ '/_cat/indices?v=true': '{"error":1}' }, 400)
  const context = makeContext({
    request: { method: 'GET', headers: { Accept: 'x', 'X-Custom': '1', authorization: 'Basic x' } },
    envs: { path: '/_cat/indices', method: 'GET', urlValues: { v: 'true', debug: 'true' } },
  })
  const services = makeServices({ category: 'cat' }, { engine: engine.url })
  const { response, request } = await runStage(searchEngineQuery, context, {}, services)
  expect(response).toMatchObject({ code: 400, body: '{"error":1}' })
  expect(request.headers).toEqual({ 'x-custom': '1', 'accept-encoding': 'identity' })
})

test('inputs win, a path other than _msearch is never folded, and async gives the body', async () => {
  await using engine = await answering({ '/movies/_search?size=0': '{"hits":{}}' })
  const services = makeServices(
    { category: 'declarative', indices: ['movies'] },
    { engine: engine.url, isAsync: true },
  )
  const inputs = { method: 'POST', path: '/movies/_search', params: { size: 0 }, body: { a: 1 } }
  const { output, request } = await runStage(searchEngineQuery, makeContext(), inputs, services)
  expect(output).toBe('{"hits":{}}')
  expect(request).toEqual(makeContext().request)
  expect(engine.seen[0]?.body).toBe('{"a":1}')
})

test('another cluster can be asked by its whole address', async () => {
  await using other = await answering({ '/x/_search?q=1&size=2': '{}' })
  const inputs = { url: `${other.url}/x/_search?q=1`, params: { q: '9', size: 2 }, headers: {} }
  const { response } = await runStage(searchEngineQuery, makeContext(), inputs)
  expect(response.body).toBe('{}')
  await expect(runStage(searchEngineQuery, makeContext(), { url: 'elastic:9200' })).rejects.toThrow(
    'Input "url" is "elastic:9200"',
  )
})

test('endpoint queries that are no list are the author’s mistake', async () => {
  const envs = { RS_ANSWER_PLAN: { items: [], warnings: [] } }
  const services = makeServices({ category: 'declarative' })
  const run = runStage(searchEngineQuery, makeContext({ envs }), { independentBody: '{' }, services)
  await expect(run).rejects.toThrow('The endpoint queries are no JSON list')
})
