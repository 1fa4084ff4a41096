import { expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { callControl, type Sluice, startSluice } from '../support/start-sluice.ts'

const engineFlags = ['--engine', 'http://127.0.0.1:9']

/** Answers with what the context holds, so that a test sees what a script would. */
const tellingPipeline = (head: string, route: string) => `${head}
routes:
  - ${route}
stages:
  - id: tell
    continueOnError: false
    script: |
      const handleRequest = () => ({
        response: { code: 200, body: JSON.stringify({ url: context.request.url, ...context.envs }) },
      })
`

async function ask(sluice: Sluice, path: string, init: RequestInit = {}) {
  const reply = await fetch(sluice.gateway + path, init)
  return JSON.parse(await reply.text()) as Record<string, unknown>
}

test('a declarative request provides everything the reference provides', async () => {
  using workspace = makeWorkspace({
    'pipelines/tell.yaml': tellingPipeline(
      '',
      "{ path: '/{index}/_declarative', method: POST, classify: { category: declarative, acl: search } }",
    ),
  })
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  const { url, ...envs } = await ask(sluice, '/movies,books/_declarative?x=1&x=2&y=', {
    method: 'POST',
    headers: { referer: 'http://page/', 'content-type': 'application/json' },
    body: JSON.stringify({
      query: [
        { id: 'facet', type: 'term', dataField: 'brand', value: ['a', 'b'] },
        { id: 'one', type: 'search', dataField: 'title', value: 'first' },
        { id: 'two', type: 'search', dataField: 'title', value: 'second' },
      ],
      settings: { customEvents: { plan: 'pro' } },
    }),
  })
  const host = new URL(sluice.gateway).host
  expect(url).toBe(`http://${host}/movies,books/_declarative?x=1&x=2&y=`)
  expect(envs).toEqual({
    index: ['movies', 'books'],
    query: 'first',
    filters: { brand: ['a', 'b'] },
    type: 'term',
    customEvents: { plan: 'pro' },
    origin: host,
    referer: 'http://page/',
    referrer: 'http://page/',
    path: '/movies,books/_declarative',
    method: 'POST',
    urlValues: { x: '1', y: '' },
    category: 'declarative',
    acl: 'search',
    ipv4: '127.0.0.1',
    isTLS: false,
  })
})

test('what is empty is left out, and an address set by the author goes before that of the request', async () => {
  using workspace = makeWorkspace({
    'pipelines/bare.yaml': tellingPipeline('', '{ path: /bare, method: GET }'),
    'pipelines/moved.yaml': tellingPipeline(
      "envs: { searchURL: 'http://elsewhere/x' }",
      '{ path: /moved, method: GET }',
    ),
  })
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  expect(await ask(sluice, '/bare?')).toEqual({
    url: `${sluice.gateway}/bare?`,
    origin: new URL(sluice.gateway).host,
    path: '/bare',
    method: 'GET',
    ipv4: '127.0.0.1',
    isTLS: false,
  })
  expect(await ask(sluice, '/moved')).toMatchObject({ url: 'http://elsewhere/x' })
})

test("a pipeline's own envs go before the environment, that before global envs, facts before both", async () => {
  using workspace = makeWorkspace({
    'sluice.yaml': 'name: test\ndefaults: { environment: dev }\n',
    'envs/dev.yaml': 'OWN: env\nENV: env\npath: env\nLIMIT: 5\n',
    'envs/prod.yaml': 'ENV: production\n',
    'pipelines/tell.yaml': tellingPipeline(
      'envs: { OWN: own, method: own }',
      '{ path: /tell, method: GET }',
    ),
  })
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  for (const key of ['OWN', 'ENV', 'GLOBAL', 'path', 'method', 'OPENAI_API_KEY'])
    await callApi(sluice, 'POST', '/_pipelines/env', { json: { key, value: `global-${key}` } })
  expect(await ask(sluice, '/tell')).toMatchObject({
    OWN: 'own',
    ENV: 'env',
    LIMIT: 5,
    GLOBAL: 'global-GLOBAL',
    path: '/tell',
    method: 'own',
    openAIConfig: { open_ai_key: 'global-OPENAI_API_KEY' },
  })
  await callControl(sluice, 'POST', '/api/workspace/environment', { environment: 'prod' })
  expect(await ask(sluice, '/tell')).toMatchObject({ OWN: 'own', ENV: 'production' })
  await callControl(sluice, 'POST', '/api/workspace/environment', { environment: null })
  expect(await ask(sluice, '/tell')).toMatchObject({ OWN: 'own', ENV: 'global-ENV' })
  await callApi(sluice, 'DELETE', '/_pipelines/env/GLOBAL')
  expect(await ask(sluice, '/tell')).not.toHaveProperty('GLOBAL')
})

test('${{NAME}} comes from the selected environment, then from the process, or is reported', async () => {
  process.env.TEST_FROM_PROCESS = 'process'
  process.env.TEST_IN_BOTH = 'process'
  using workspace = makeWorkspace({
    'sluice.yaml': 'name: test\ndefaults: { environment: dev }\n',
    'envs/dev.yaml': 'TEST_IN_BOTH: env\nSIZE: 5\n',
    'envs/prod.yaml': 'SIZE: 50\n',
    'pipelines/tell.yaml': tellingPipeline(
      `envs:
  both: \${{TEST_IN_BOTH}}
  process: \${{ test_from_process }}
  inside: size-\${{SIZE}}!
  open: \${{TEST_NOWHERE}}
  ours: \${{SLUICE_TOKEN}}`,
      '{ path: /tell, method: GET }',
    ),
  })
  await using sluice = await startSluice([...engineFlags, '--workspace', workspace.dir])
  expect(await ask(sluice, '/tell')).toMatchObject({
    both: 'env',
    process: 'process',
    inside: 'size-5!',
    open: '${{TEST_NOWHERE}}',
    ours: '${{SLUICE_TOKEN}}',
  })
  const { body } = await callControl(sluice, 'GET', '/api/pipelines')
  expect(body).toMatchObject([
    {
      diagnostics: expect.arrayContaining([
        expect.objectContaining({
          code: 'unresolved-variable',
          severity: 'warning',
          source: expect.objectContaining({ file: 'pipelines/tell.yaml', line: 5, column: 9 }),
        }),
      ]),
    },
  ])
  await callControl(sluice, 'POST', '/api/workspace/environment', { environment: 'prod' })
  expect(await ask(sluice, '/tell')).toMatchObject({ both: 'process', inside: 'size-50!' })
})
