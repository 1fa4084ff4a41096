import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getHello, helloForm, helloScript, helloYaml } from '../support/hello-pipeline.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { callControl, startSluice, temporaryFolder } from '../support/start-sluice.ts'

const engine = ['--engine', 'http://127.0.0.1:9']
const serve = (dir: string, dataDir = join(dir, '.sluice')) =>
  startSluice([...engine, '--workspace', dir], { dataDir })

test('a pipeline made over the API is a file with its scripts, and is served at once', async () => {
  using workspace = makeWorkspace({})
  await using sluice = await serve(workspace.dir)
  const read = (path: string) => readFileSync(join(workspace.dir, path), 'utf8')
  const created = await callApi(sluice, 'POST', '/_pipeline', {
    form: helloForm('one', { head: 'id: hello\n' }),
  })
  expect([created.status, created.body.id]).toEqual([201, 'hello'])
  expect(await getHello(sluice.gateway)).toBe('200 one')
  expect(read('pipelines/hello.yaml')).toBe(helloYaml('id: hello\n'))
  expect(read('pipelines/answer.js')).toBe(helloScript('one'))
  expect(read('.sluice/.gitignore')).toBe('*\n')

  const updated = await callApi(sluice, 'PUT', '/_pipeline/hello', { form: helloForm('two') })
  expect(updated.status).toBe(200)
  expect(await getHello(sluice.gateway)).toBe('200 two')
  expect(read('pipelines/hello.yaml')).toBe(helloYaml())
  expect(await callControl(sluice, 'GET', '/api/pipelines')).toMatchObject({
    body: [{ file: 'pipelines/hello.yaml' }],
  })

  expect((await callApi(sluice, 'DELETE', '/_pipeline/hello')).status).toBe(200)
  expect(existsSync(join(workspace.dir, 'pipelines/hello.yaml'))).toBe(false)
  expect(await getHello(sluice.gateway)).not.toContain('two')
  expect(readdirSync(join(workspace.dir, 'pipelines'))).toEqual(['answer.js'])
})

test('versions lie beside the file, answer below their prefix and take its place', async () => {
  using workspace = makeWorkspace({
    'pipelines/hello.yaml': helloYaml(),
    'pipelines/hello/answer.js': helloScript('by hand'),
  })
  let sluice = await serve(workspace.dir)
  const script = join(workspace.dir, 'pipelines/hello/answer.js')
  const post = (path: string, form?: ReturnType<typeof helloForm>) =>
    callApi(sluice, 'POST', `/_pipeline/hello${path}`, { ...(form && { form }) })

  const added = await post('/version', helloForm('two'))
  expect([added.status, added.body._version]).toEqual([201, 2])
  expect(readFileSync(script, 'utf8')).toBe(helloScript('by hand'))
  const answers = async () => [
    await getHello(sluice.gateway),
    await getHello(sluice.gateway, '/v1'),
    await getHello(sluice.gateway, '/v2'),
  ]
  expect(await answers()).toEqual(['200 by hand', '200 by hand', '200 two'])

  expect((await post('/version/2/live')).status).toBe(200)
  expect(readFileSync(script, 'utf8')).toBe(helloScript('two'))
  expect(await answers()).toEqual(['200 two', '200 by hand', '200 two'])

  // The file is the live version, whoever writes it.
  writeFileSync(script, helloScript('two, by hand'))
  await expect.poll(answers).toEqual(['200 two, by hand', '200 by hand', '200 two, by hand'])
  await sluice.stop()
  sluice = await serve(workspace.dir)
  expect(await answers()).toEqual(['200 two, by hand', '200 by hand', '200 two, by hand'])

  expect((await post('/version/1/live')).status).toBe(200)
  expect(readFileSync(script, 'utf8')).toBe(helloScript('by hand'))
  expect(await answers()).toEqual(['200 by hand', '200 by hand', '200 two, by hand'])
  const { body } = await callApi(sluice, 'GET', '/_pipeline/hello/versions')
  expect(body.map((one: Record<string, unknown>) => [one['_version'], one['is_live']])).toEqual([
    [1, true],
    [2, false],
  ])
  await sluice.stop()
})

test('what was edited on disk since it was read is not overwritten by a save with its etag', async () => {
  using workspace = makeWorkspace({
    'pipelines/hello.yaml': helloYaml(),
    'pipelines/answer.js': helloScript('one'),
  })
  await using sluice = await serve(workspace.dir)
  const { body } = await callApi(sluice, 'GET', '/_pipeline/hello')
  const script = join(workspace.dir, 'pipelines/answer.js')
  writeFileSync(script, helloScript('by hand'))
  const put = () =>
    callApi(sluice, 'PUT', '/_pipeline/hello', {
      form: helloForm('two'),
      headers: { 'if-match': `"${body.etag}"` },
    })
  expect(await put()).toMatchObject({ status: 412, body: { error: { type: 'ETAG_MISMATCH' } } })
  expect(readFileSync(script, 'utf8')).toBe(helloScript('by hand'))
})

test('a file in the way, a path out of the workspace and a file that cannot be written are told', async () => {
  using workspace = makeWorkspace({ 'pipelines/broken.yaml': 'stages: [' })
  await using sluice = await serve(workspace.dir)
  const create = (form: ReturnType<typeof helloForm>) =>
    callApi(sluice, 'POST', '/_pipeline', { form })
  expect(await create(helloForm('x', { head: 'id: broken\n' }))).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('pipelines/broken.yaml exists') } },
  })
  const { pipeline, 'answer.js': script } = helloForm('x', { head: 'id: out\n' })
  const outside = { ...pipeline, text: pipeline.text.replace('answer.js', '../../../answer.js') }
  const form = { pipeline: outside, '../../../answer.js': script }
  expect(await callApi(sluice, 'POST', '/_pipeline', { form })).toMatchObject({
    status: 403,
    body: { error: { message: '"../../answer.js" lies outside the workspace' } },
  })
  expect(readdirSync(join(workspace.dir, 'pipelines'))).toEqual(['broken.yaml'])

  // A folder where the script should go: the pipeline's own file is taken back.
  workspace.write('pipelines/answer.js/inside.txt', '')
  expect(await create(helloForm('x', { head: 'id: half\n' }))).toMatchObject({
    status: 500,
    body: { error: { type: 'WORKSPACE_UNWRITABLE' } },
  })
  expect(readdirSync(join(workspace.dir, 'pipelines')).toSorted()).toEqual([
    'answer.js',
    'broken.yaml',
  ])
})

test('a script goes where it is looked for, and never in the place of another one', async () => {
  using workspace = makeWorkspace({})
  await using sluice = await serve(workspace.dir)
  const save = (id: string, ref: string, answer: string, method = 'POST') => {
    const { pipeline, 'answer.js': script } = helloForm(answer, { head: `id: ${id}\n` })
    const text = pipeline.text.replace('answer.js', JSON.stringify(ref)).replace('/hello', `/${id}`)
    const path = method === 'PUT' ? `/_pipeline/${id}` : '/_pipeline'
    return callApi(sluice, method, path, {
      form: { pipeline: { ...pipeline, text }, [ref]: script },
    })
  }
  for (const ref of ['../.sluice/key.js', '../.git/hooks/a.js', 'node_modules/a.js', '/'])
    expect(await save('lost', ref, 'x')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`at the scriptRef "${ref}"`) } },
    })
  expect(existsSync(join(workspace.dir, 'pipelines'))).toBe(false)

  expect(await save('first', 'answer.js', 'first')).toMatchObject({ status: 201 })
  expect(await save('second', 'answer.js', 'second')).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('belongs to pipeline "first"') } },
  })
  expect(readFileSync(join(workspace.dir, 'pipelines/answer.js'), 'utf8')).toBe(
    helloScript('first'),
  )
  // The same text is shared, and whoever reads a script may change it.
  expect(await save('second', 'answer.js', 'first')).toMatchObject({ status: 201 })
  expect(await save('second', 'answer.js', 'second', 'PUT')).toMatchObject({ status: 200 })
})

test('a text that becomes JSON moves to a file that says so', async () => {
  using workspace = makeWorkspace({ 'pipelines/hello.yml': helloYaml('id: hello\n') })
  workspace.write('pipelines/answer.js', helloScript('one'))
  await using sluice = await serve(workspace.dir)
  const content = JSON.stringify({
    id: 'hello',
    routes: [{ path: '/hello', method: 'GET' }],
    stages: [{ id: 'answer', scriptRef: 'answer.js', continueOnError: false }],
  })
  const { status } = await callApi(sluice, 'PUT', '/_pipeline/hello', {
    form: { pipeline: { text: content, fileName: 'hello.json' } },
  })
  expect(status).toBe(200)
  expect(readdirSync(join(workspace.dir, 'pipelines'))).toEqual(['answer.js', 'hello.json'])
  expect(await getHello(sluice.gateway)).toBe('200 one')
})

test('what a killed process left half written is gone when the workspace is opened', async () => {
  using workspace = makeWorkspace({})
  const uuid = '01234567-89ab-cdef-0123-456789abcdef'
  workspace.write(`pipelines/hello.yaml.999999999.${uuid}.tmp`, 'rou')
  workspace.write(`pipelines/mine.tmp`, 'kept')
  await using sluice = await serve(workspace.dir)
  // Answered when the workspace is open.
  await callApi(sluice, 'GET', '/_pipelines')
  expect(readdirSync(join(workspace.dir, 'pipelines'))).toEqual(['mine.tmp'])
})

test('workspaces that share a data folder keep their versions and variables apart', async () => {
  using data = temporaryFolder()
  const files = {
    'pipelines/hello.yaml': helloYaml('global_envs: [{ key: PLACE, value: here }]\n'),
    'pipelines/answer.js':
      'function handleRequest() {\n  return { response: { code: 200, body: context.envs.PLACE } }\n}\n',
  }
  using first = makeWorkspace(files)
  using second = makeWorkspace({ ...files, 'pipelines/hello.yaml': helloYaml() })
  let sluice = await serve(first.dir, data.dir)
  expect(await getHello(sluice.gateway)).toBe('200 here')
  await callApi(sluice, 'POST', '/_pipeline/hello/version', { form: helloForm('two') })
  const changed = await callApi(sluice, 'PUT', '/_pipelines/env/PLACE', {
    json: { key: 'PLACE', value: 'there' },
  })
  expect([changed.status, await getHello(sluice.gateway)]).toEqual([200, '200 there'])

  await callControl(sluice, 'POST', '/api/workspace/open', { dir: second.dir })
  expect((await callApi(sluice, 'GET', '/_pipeline/hello/versions')).body).toHaveLength(1)
  expect((await callApi(sluice, 'GET', '/_pipelines/envs')).body).toEqual([])
  await sluice.stop()

  // Neither a restart nor the file that declared it undoes what was set since.
  sluice = await serve(first.dir, data.dir)
  expect(await getHello(sluice.gateway)).toBe('200 there')
  expect((await callApi(sluice, 'GET', '/_pipeline/hello/versions')).body).toHaveLength(2)
  first.write(
    'pipelines/hello.yaml',
    helloYaml('global_envs: [{ key: PLACE, value: elsewhere }]\n'),
  )
  await expect.poll(() => getHello(sluice.gateway)).toBe('200 elsewhere')
  await sluice.stop()
  rmSync(join(data.dir, 'engine'), { recursive: true, force: true })
})
