import { afterAll, beforeAll, expect, test } from 'vitest'
import { RequestExplanation } from '../../gateway/contract/explain.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

const STAGES = `stages:
  - use: authorization
  - id: done
    script: |
      function handleRequest() { return { response: { body: 'by ' + context.envs.who } } }
`
const pipeline = (head: string, route = `path: '/{index}/_search'`) =>
  `routes:\n  - {${route}, method: POST}\n${head}\n${STAGES}`

const workspace = makeWorkspace({
  'pipelines/brand.yaml': pipeline(
    `priority: 9
envs: {who: brand}
trigger: {type: query, expression: '$query contains "potter" OR $filter.brand exactlyMatches "SONY"'}`,
    `path: '/{index}/_declarative', classify: {category: declarative}`,
  ),
  'pipelines/keyed.yaml': pipeline(
    `priority: 5
envs: {who: keyed}
trigger: {expression: 'envs.STAGE == "dev" and envs.TOKEN startsWith "hunter2" and context.request.headers["x-api-key"] == "no"'}
global_envs: [{key: TOKEN, value: hunter2hunter2}]`,
  ),
  'pipelines/late.yaml': pipeline(
    'priority: 4\nenvs: {who: late}\ntrigger: {timeframe: {end_time: 2020-01-01}}',
  ),
  'pipelines/plain.yaml': pipeline('envs: {who: plain}'),
  'pipelines/nightly.yaml': pipeline(
    "envs: {who: nightly}\ntrigger: {type: cron, expression: '0 3 * * *'}",
  ),
  'pipelines/off.yaml': pipeline('enabled: false\nenvs: {who: off}'),
  'envs/dev.yaml': 'STAGE: dev\n',
})
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine((_request, response) => response.end('{}'))
  sluice = await startSluice(['--engine', engine.url, '--workspace', workspace.dir])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
  workspace[Symbol.dispose]()
})

const explain = async (path: string, body = '', headers: [string, string][] = []) => {
  const request = { method: 'POST', path, headers, body }
  const reply = await callControl(sluice, 'POST', '/api/explain', request)
  expect(reply.status).toBe(200)
  return RequestExplanation.parse(reply.body)
}
const send = async (path: string, body = '') => {
  const { authorization } = sluice
  const headers = { authorization, 'content-type': 'application/json' }
  const reply = await fetch(sluice.gateway + path, { method: 'POST', headers, body })
  return reply.text()
}

test('every pipeline tells in its turn why it does not take a request, or does', async () => {
  const { takenBy, pipelineId, candidates } = await explain('/movies/_search')
  expect([takenBy, pipelineId]).toEqual(['pipeline', 'plain'])
  expect(candidates.map((one) => [one.pipelineId, one.outcome])).toEqual([
    ['brand', 'path'],
    ['keyed', 'trigger'],
    ['late', 'timeframe'],
    ['nightly', 'scheduled'],
    ['off', 'disabled'],
    ['plain', 'taken'],
  ])
  expect(candidates[2]?.checks).toEqual([
    { check: 'enabled', passed: true, detail: 'It is enabled' },
    { check: 'path', passed: true, detail: 'The path fits /{index}/_search' },
    { check: 'method', passed: true, detail: 'The method is POST' },
    { check: 'timeframe', passed: false, detail: 'its timeframe is over' },
  ])
  expect(await send('/movies/_search')).toBe('by plain')
})

test('the expression is told for every query, part by part with places and values', async () => {
  const body = JSON.stringify({
    query: [
      { id: 'a', type: 'search', value: 'Ron' },
      { id: 'b', type: 'term', dataField: 'brand', value: ['Sony'] },
    ],
  })
  const { pipelineId, candidates } = await explain('/m/_reactivesearch', body)
  expect([pipelineId, await send('/m/_reactivesearch', body)]).toEqual(['brand', 'by brand'])
  const { trigger } = candidates[0] ?? {}
  expect(trigger?.understoodAs).toBe('$query contains "potter" or $filter.brand == "SONY"')
  const [first] = trigger?.evaluations ?? []
  expect([trigger?.evaluations.length, first?.value]).toEqual([1, 'true'])
  expect(first?.parts.map(({ text, start, end, value }) => [text, start, end, value])).toEqual([
    ['$query contains "potter"', 0, 24, 'false'],
    ['$filter.brand exactlyMatches "SONY"', 28, 63, 'true'],
  ])
  expect(first?.parts[1]?.parts[0]).toMatchObject({ text: '$filter.brand', value: '["Sony"]' })
})

test('values of secrets and the credentials of the request are nowhere to be read', async () => {
  const headers: [string, string][] = [
    ['X-Api-Key', 'swordfish'],
    ['authorization', 'Basic b3BlbjpzZXNhbWU='],
  ]
  const found = await explain('/movies/_search', '', headers)
  const text = JSON.stringify(found)
  for (const secret of ['hunter2hunter2', 'swordfish', 'b3BlbjpzZXNhbWU'])
    expect(text).not.toContain(secret)
  expect(text).toContain('••••')
  const keyed = found.candidates.find(({ pipelineId }) => pipelineId === 'keyed')
  expect(keyed?.reason).toMatch(/is false$/)
})

test('when no pipeline takes it, it says who is left', async () => {
  const takers = await Promise.all(
    ['/m/_declarative', '/_cat/indices'].map(async (path) => (await explain(path)).takenBy),
  )
  expect(takers).toEqual(['builtIn', 'none'])
})

test('a request that does not fit the contract is refused with what is wrong', async () => {
  expect(await callControl(sluice, 'POST', '/api/explain', { method: 'GET' })).toMatchObject({
    status: 400,
    body: {
      error: {
        type: 'REQUEST_INVALID',
        message:
          'The request does not fit the contract: ' +
          'path: Invalid input: expected string, received undefined',
      },
    },
  })
})

test('a request is asked for by its method and path alone', async () => {
  const asked = { method: 'GET', path: '/_cat/indices' }
  expect(await callControl(sluice, 'POST', '/api/explain', asked)).toMatchObject({
    status: 200,
    body: { takenBy: 'none' },
  })
})
