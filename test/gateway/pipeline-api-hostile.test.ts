import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { sendRaw } from '../support/raw-http.ts'
import { runSluice, type Sluice, startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engine = ['--engine', 'http://127.0.0.1:9']
let sluice: Sluice

beforeAll(async () => {
  sluice = await startSluice(engine)
})
afterAll(async () => {
  await sluice.stop()
})

const post = (path: string, json: unknown) => callApi(sluice, 'POST', path, { json })
const withStage = (id: string, stage: string) => ({
  content: `id: ${id}\nroutes:\n  - { path: /${id}, method: GET }\nstages:\n  - ${stage}\n`,
  extension: 'yaml',
})

test('names that every JavaScript object has are names like others', async () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const pipeline = withStage('inherited', `{ id: a, scriptRef: ${name} }`)
    const script = await post('/_pipeline', { pipeline })
    expect([script.status, script.body.error.message]).toEqual([
      400,
      expect.stringContaining(`There is no script file "${name}"`) as string,
    ])
    const variable = await post('/_pipeline', {
      pipeline: withStage('inherited', `{ use: customData, inputs: { data: "\${{${name}}}" } }`),
    })
    expect(JSON.stringify(variable.body)).not.toContain('native code')

    const { content } = pipeline
    const file = await post('/_pipeline', { pipeline: { content, extension: name } })
    expect([file.status, file.body.error.type]).toEqual([422, 'UNPROCESSABLE'])
    const list = await callApi(sluice, 'GET', `/_pipelines/logs?${name}=1`)
    expect([list.status, list.body.error?.message]).toEqual([
      400,
      expect.stringContaining(`"${name}" is no parameter`) as string,
    ])
  }
})

test('names that every JavaScript object has can be given and asked for', async () => {
  const content = `id: given
routes:
  - { path: /given, method: GET }
stages:
  - { id: give, async: true, script: "function handleRequest() { return { constructor: 7 } }" }
  - id: show
    needs: [give]
    script: |
      function handleRequest(context) {
        const { constructor, envs } = context
        return { response: { body: JSON.stringify([constructor, envs.urlValues]) } }
      }
`
  await post('/_pipeline', { pipeline: { content, extension: 'yaml' } })
  const reply = await fetch(`${sluice.gateway}/given?toString=a&toString=b`)
  expect(await reply.json()).toEqual([7, { toString: 'a' }])
})

test('a request target may name the host; without a path it is refused', async () => {
  const ask = (target: string, method = 'GET') =>
    sendRaw(
      sluice.gateway,
      `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n` +
        `authorization: ${sluice.authorization}\r\n\r\n`,
    )
  expect(await ask('http://localhost/_pipeline/schema')).toContain('HTTP/1.1 200 ')
  expect(await ask('http://evil.example/_pipeline/schema')).toContain('HTTP/1.1 403 ')
  const star = await ask('*', 'OPTIONS')
  expect(star).toContain('HTTP/1.1 400 ')
  expect(star).toContain('is no path')
})

test('a version is a number in plain digits', async () => {
  await post('/_pipeline', { pipeline: withStage('plain', '{ id: a, script: "context" }') })
  expect((await callApi(sluice, 'GET', '/_pipeline/plain/version/1')).status).toBe(200)
  for (const number of ['0x1', '1e0', '01', '%201', '0', '-1', '1.5', '9999999999']) {
    const { status, body } = await callApi(sluice, 'GET', `/_pipeline/plain/version/${number}`)
    expect([status, body.error.message]).toEqual([
      400,
      `The path is not as documented at "v": "${decodeURIComponent(number)}" is no version number; ` +
        'GET /_sluice/openapi.json has the documentation',
    ])
  }
})

test('a variable without a key is refused, for nobody could read or delete it', async () => {
  const pipeline = withStage('keyless', '{ id: a, script: "context" }')
  const content = `${pipeline.content}global_envs: [{ key: "", value: secret-one }]\n`
  const { status, body } = await post('/_pipeline', { pipeline: { ...pipeline, content } })
  expect([status, body.error.message]).toEqual([
    400,
    'pipeline.yaml:6:22: A variable without a key could never be read: name its key',
  ])
})

test('an address that failed tells no part of a secret in it', async () => {
  const secret = 'planted/one+two?planted=three'
  await post('/_pipelines/env', { key: 'TOKEN', value: secret })
  const input = '{ url: "http://127.0.0.1:9/{{TOKEN}}" }'
  const pipeline = withStage(
    'calls',
    `{ use: httpRequest, continueOnError: false, inputs: ${input} }`,
  )
  const { body } = await post('/_pipeline/validate', { pipeline })
  expect(body.stageChanges[0].error).toContain('http://127.0.0.1:9/•••• failed')
  expect(JSON.stringify(body)).not.toContain('planted')
})

test('a value with half a character is one like others', async () => {
  const pipeline = withStage('half', '{ id: a, script: "context" }')
  const content = `${pipeline.content}global_envs: [{ key: HALF, value: "half-\\ud800" }]\n`
  const trial = await post('/_pipeline/validate', { pipeline: { ...pipeline, content } })
  expect([trial.status, trial.body.envs.HALF]).toEqual([200, '••••'])
})

test('what is nested without an end neither ends the gateway nor counts as a bug', async () => {
  const deep = 'let deep = {}; for (let i = 0; i < 20_000; i++) deep = { deep }; return { deep }'
  const script = `{ id: nest, script: "function handleRequest() { ${deep} }" }`
  const { content, extension } = withStage('deep', script)
  const pipeline = { content: `${content}  - { id: next, script: "context" }\n`, extension }
  await post('/_pipeline', { pipeline })
  const run = await fetch(`${sluice.gateway}/deep`)
  expect([run.status, run.headers.get('x-sluice-continued')]).toEqual([200, 'nest'])
  const trial = await post('/_pipeline/validate', { pipeline })
  expect(trial.body.stageChanges[0].error).toContain('deep is nested deeper than 500 levels')

  const lists = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`
  const request = `{ "envs": { "deep": ${lists(5_000)} } }`
  const [pipelineJson, authorization] = [JSON.stringify(pipeline), sluice.authorization]
  const form = new FormData()
  form.set('pipeline', pipelineJson)
  form.set('request', request)
  const asJson = {
    headers: { authorization, 'content-type': 'application/json' },
    body: `{ "pipeline": ${pipelineJson}, "request": ${request} }`,
  }
  for (const sent of [asJson, { headers: { authorization }, body: form }]) {
    const url = `${sluice.gateway}/_pipeline/validate`
    const reply = await fetch(url, { method: 'POST', ...sent })
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringContaining('is no JSON: it is nested deeper than 500 levels') as string,
    ])
  }
})

test('a value in a file is not shown, wherever its author put it', async () => {
  using workspace = makeWorkspace({})
  await using other = await startSluice([...engine, '--workspace', workspace.dir])
  const { content } = withStage('merged', '{ id: a, script: "context" }')
  const text = `${content}global_envs:\n  - { key: K, <<: { value: planted-secret } }\n`
  const saved = await callApi(other, 'POST', '/_pipeline', {
    json: { pipeline: { content: text, extension: 'yaml' } },
  })
  expect([saved.status, saved.body.error.diagnostics.at(-1).code]).toEqual([
    400,
    'env-value-by-anchor',
  ])
  await callApi(other, 'POST', '/_pipeline', { json: { pipeline: { content, extension: 'yaml' } } })
  const file = join(workspace.dir, 'pipelines/merged.yaml')
  writeFileSync(file, text)
  await expect
    .poll(async () => (await callApi(other, 'GET', '/_pipeline/merged')).body.content)
    .toBe(text.replace('planted-secret', '••••'))
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('damaged files are told by their path; pipelines are read without the figures', async () => {
  using data = temporaryFolder()
  writeFileSync(join(data.dir, 'usage.db'), 'no database '.repeat(500))
  const other = await startSluice(engine, { dataDir: data.dir })
  const pipeline = withStage('kept', '{ id: a, script: "context" }')
  await callApi(other, 'POST', '/_pipeline', { json: { pipeline } })
  const list = await callApi(other, 'GET', '/_pipelines')
  expect([list.status, list.body[0]]).toEqual([200, expect.objectContaining({ usage: 0 })])
  const figures = await callApi(other, 'GET', '/_analytics/pipelines/usage')
  expect([figures.status, figures.body.error.message]).toEqual([
    503,
    expect.stringContaining('usage.db" cannot be used (file is not a database); bring a copy'),
  ])
  await other.stop()

  writeFileSync(join(data.dir, 'state.db'), 'no database '.repeat(500))
  const { code, stderr } = await runSluice(['serve', '--port', '0', ...engine, '--data', data.dir])
  expect([code, stderr.trim().split('\n')]).toEqual([
    2,
    [expect.stringContaining('state.db" cannot be used (file is not a database)')],
  ])
})
