import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestExplanation } from '../../gateway/contract/explain.ts'
import type { RunSummary } from '../../gateway/contract/trace.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { callApi } from '../support/pipeline-api.ts'
import { callControl, startSluice, type Sluice } from '../support/start-sluice.ts'

/** Two versions of one pipeline: the first is live, the second has a trigger on the plain path. */
const pipeline = (head: string) => ({
  pipeline: {
    fileName: 'pipeline.yaml',
    text: `id: seen
routes: [{ path: '/{index}/seen', method: GET }]
${head}
stages:
  - id: seen
    script: |
      function handleRequest() {
        const { path, index } = context.envs
        return { response: { body: JSON.stringify([context.request.url, path, index]) } }
      }
`,
  },
})
let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice

beforeAll(async () => {
  engine = await startFakeEngine((request, response) => response.end(`engine ${request.url}`))
  sluice = await startSluice(['--engine', engine.url, '--trace', 'all'])
  const made = [
    await callApi(sluice, 'POST', '/_pipeline', { form: pipeline('description: one') }),
    await callApi(sluice, 'POST', '/_pipeline/seen/version', {
      form: pipeline(`trigger: { expression: '$path == "/m/seen"' }`),
    }),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
})

const get = async (path: string) => {
  const headers = { authorization: sluice.authorization }
  return (await fetch(sluice.gateway + path, { headers })).text()
}

test('a run below a prefix sees the plain path, and its trace the one that was sent', async () => {
  const { host } = new URL(sluice.gateway)
  expect(JSON.parse(await get('/v2/m/seen?q=1'))).toEqual([
    `http://${host}/m/seen?q=1`,
    '/m/seen',
    ['m'],
  ])
  const runs = (await callControl(sluice, 'GET', '/api/runs')).body as RunSummary[]
  expect(runs.map(({ path }) => path)).toContain('/v2/m/seen?q=1')
})

test('a version whose trigger is false leaves the request to whoever is next', async () => {
  expect(await get('/v2/other/seen')).toBe('engine /v2/other/seen')
  expect(await get('/v9/m/seen')).toBe('engine /v9/m/seen')
})

test('the explanation names the versions that were candidates', async () => {
  const explain = async (path: string) => {
    const request = { method: 'GET', path, headers: [], body: '' }
    const { body } = await callControl(sluice, 'POST', '/api/explain', request)
    return (body as RequestExplanation).candidates.map(({ version, outcome }) => [version, outcome])
  }
  expect(await explain('/m/seen')).toEqual([[1, 'taken']])
  expect(await explain('/v2/m/seen')).toEqual([
    [2, 'taken'],
    [1, 'path'],
  ])
  expect(await explain('/v2/other/seen')).toEqual([
    [2, 'trigger'],
    [1, 'path'],
  ])
})
