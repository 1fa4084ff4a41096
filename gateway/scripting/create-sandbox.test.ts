import { expect, test } from 'vitest'
import { loadScripts, runScript, sampleContext } from '../../test/support/run-script.ts'
import { createSandbox } from './create-sandbox.ts'
import { errors } from '../errors.ts'
import type { ScriptSource } from './sandbox.ts'

const handler = (body: string) => `function handleRequest() { ${body} }`

test('what a script returns is laid over the context, request, response and envs one level deeper', async () => {
  const { context } = await runScript(
    handler('return { response: { body: "new" }, envs: { a: 1 }, genre: { id: 7 } }'),
  )
  expect(context).toEqual({
    ...sampleContext(),
    response: { code: 200, headers: { 'x-one': '1' }, body: 'new' },
    envs: { query: 'heat', index: ['movies'], a: 1 },
    genre: { id: 7 },
  })
})

test('a script that returns nothing gives the context as it changed it', async () => {
  const { context } = await runScript(
    handler(
      'context.response.code = 201; delete context.genre; context.envs.index.push("x"); context.request.headers.b = "2"',
    ),
  )
  const { genre: _, ...rest } = sampleContext()
  expect(context).toEqual({
    ...rest,
    request: {
      ...(rest.request as object),
      headers: { accept: 'application/json', b: '2' },
    },
    response: { code: 201, headers: { 'x-one': '1' }, body: '{"hits":3}' },
    envs: { query: 'heat', index: ['movies', 'x'] },
  })
})

test('a script that returns something gives that alone, not what else it did to the context', async () => {
  const { context } = await runScript(handler('context.response.code = 500; return { a: 1 }'))
  expect(context).toEqual({ ...sampleContext(), a: 1 })
})

test('values nobody touched are the very same objects', async () => {
  const before = sampleContext()
  const { context } = await runScript(
    handler('const copy = { ...context }; copy.response.code = 404; return copy'),
    { context: before },
  )
  expect(context).toMatchObject({ response: { code: 404 } })
  expect(context.request).toBe(before.request)
  expect(context.genre).toBe(before.genre)
  expect(context.envs).toBe(before.envs)
})

test('a script that changes nothing gives back the context itself', async () => {
  const context = sampleContext()
  const result = await runScript(handler('return context'), { context })
  expect(result.context).toBe(context)
})

test.each([
  'async function handleRequest() { return { a: 1 } }',
  'const handleRequest = async () => { await null; context.a = 1 }',
  'function handleResponse() { return { a: 1 } }',
  'handleRequest = () => new Promise((resolve) => setTimeout(() => resolve({ a: 1 }), 5))',
  'function handleRequest(given) { given.a = 1; return given }',
  'context.a = 1',
  'var a = 1; var { request, ...others } = context; handleResponse = function () { return { a } }',
])('all forms of a script are understood: %s', async (text) => {
  expect((await runScript(text)).context).toEqual({ ...sampleContext(), a: 1 })
})

test('stages of one entry see what those before them changed', async () => {
  using program = loadScripts([
    handler('context.response.body += "1"'),
    handler('return { response: { body: context.response.body + "2" }, seen: "s1" }'),
    'async function handleRequest() { await null; context.response.body += "3" + context.seen }',
  ])
  const results = await program.run()
  expect(results.map(({ context }) => context)).toMatchObject([
    { response: { body: '{"hits":3}1' } },
    { response: { body: '{"hits":3}12' } },
    { response: { body: '{"hits":3}123s1' } },
  ])
})

test('when nobody watches, the last result tells what all stages came to', async () => {
  const texts = [
    handler('context.response.body += "1"; context.gone = 1; context.envs.n = 1'),
    handler('delete context.gone; delete context.envs.n; throw new Error("no")'),
    'async function handleRequest() { delete context.gone; await null; return { n: context.envs.n, response: { body: context.response.body + "3" } } }',
    'async function handleRequest() { await new Promise(() => {}) }',
  ]
  using program = loadScripts(texts)
  const options = { continueOnError: true, timeoutMs: 200 }
  const watched = await program.run(options)
  const unwatched = await program.run({ ...options, isWatched: false })
  expect(unwatched.at(-1)?.context).toEqual(watched.at(-1)?.context)
  expect(unwatched.at(-1)?.context).toMatchObject({ n: 1, response: { body: '{"hits":3}13' } })
  expect(unwatched.map(({ error }) => error?.code)).toEqual(watched.map(({ error }) => error?.code))
})

test('a failed stage leaves no trace in the context, and the next goes on where it may', async () => {
  using program = loadScripts([
    handler('context.response.body = "half"; context.extra = 1; throw new Error("no")'),
    handler('return { seen: JSON.stringify(context) }'),
  ])
  const results = await program.run({ continueOnError: true })
  expect(results[0]).toMatchObject({ error: { code: 'SCRIPT_THREW', message: 'Error: no' } })
  expect(results[0]?.context).toEqual(sampleContext())
  expect(JSON.parse(String(results[1]?.context.seen))).toEqual(sampleContext())
  expect(await program.run({ continueOnError: false })).toHaveLength(1)
})

test('an asynchronous stage hands out what it returned, whatever it is', async () => {
  const text = handler('return [1, "two"]')
  expect(await runScript(text, { async: true })).toMatchObject({ returned: [1, 'two'] })
  expect(await runScript(text)).toMatchObject({ error: { code: 'SCRIPT_RESULT_INVALID' } })
})

test.each([
  ['return { response: { body: {} } }', 'response.body must be a string'],
  ['context.response.code = "ok"', 'response.code must be a whole number'],
  ['return { request: 5 }', 'request must be an object'],
  ['return { request: { headers: { a: {} } } }', 'request.headers.a must be a string'],
  ['const a = {}; a.a = a; return { a }', 'a cannot be written as JSON'],
  ['return { envs: { big: 1n } }', 'envs.big is a BigInt'],
  [
    'let deep = {}; for (let i = 0; i < 20_000; i++) deep = i % 2 ? { deep } : [deep]; return { deep }',
    'deep is nested deeper than 500 levels',
  ],
  ['return "text"', 'must return an object or nothing, not a string'],
])('%s is refused by name', async (body, message) => {
  const { error, context } = await runScript(handler(body))
  expect(error).toMatchObject({
    code: 'SCRIPT_RESULT_INVALID',
    message: expect.stringContaining(message),
    source: { file: 's0.js', line: 1 },
  })
  expect(context).toEqual(sampleContext())
})

test('what is nested is measured by its levels, not by the brackets in its texts', async () => {
  const text = String.raw`const list = Array.from({ length: 600 }, () => [{ a: '[{"\\' }])
    let deep = []
    for (let i = 0; i < 450; i++) deep = [deep]
    return { list, deep, quote: ['"[['.repeat(600)] }`
  const { error, context } = await runScript(handler(text))
  expect(error).toBeUndefined()
  expect(context).toMatchObject({ quote: ['"[['.repeat(600)] })
})

test('what a host call fails with can be caught, and is shown when it is not', async () => {
  using program = loadScripts(
    `async function handleRequest() {
      try { await fetch("http://a/") } catch (error) { return { caught: error.code + " " + error.message } }
    }`,
    { fetch: () => Promise.reject(errors.addressRefused('not there')) },
  )
  const [result] = await program.run()
  expect(result?.context.caught).toBe('ADDRESS_REFUSED not there')
})

test('a run that is aborted ends with the reason, whether it waits or works', async () => {
  for (const body of ['await new Promise(() => {})', 'for (;;);']) {
    using program = loadScripts(`async function handleRequest() { ${body} }`)
    const controller = new AbortController()
    const running = program.run({ signal: controller.signal, timeoutMs: 10_000 })
    setTimeout(() => controller.abort(errors.runTerminated('stop')), 300)
    expect(await running).toMatchObject([{ error: { code: 'RUN_TERMINATED', message: 'stop' } }])
  }
})

test('a promise that never settles is over at the limit', async () => {
  const text = 'async function handleRequest() { console.log("here"); await new Promise(() => {}) }'
  expect(await runScript(text, { timeoutMs: 150 })).toMatchObject({
    error: {
      code: 'SCRIPT_TIMEOUT',
      message: 'The script took longer than 150 ms, the limit here',
    },
    logs: [{ values: [{ text: '"here"' }] }],
  })
})

test('more programs than isolates are served all the same', async () => {
  const sandbox = createSandbox({ maxIsolates: () => 2 })
  const programs = Array.from({ length: 5 }, (_, index) =>
    sandbox.load(
      [{ stageId: 's', file: 's.js', line: 1, column: 1, text: handler(`return { n: ${index} }`) }],
      { memoryMb: 16 },
    ),
  )
  const runAll = () =>
    Promise.all(
      programs.map((program) =>
        program.run({
          runId: 'r',
          context: sampleContext(),
          stages: [{ stageId: 's', continueOnError: false }],
          limits: { timeoutMs: 2000, timeoutName: 'the limit here' },
          signal: new AbortController().signal,
          host: { fetch: () => Promise.reject(new Error('unused')) },
        }),
      ),
    )
  for (let round = 0; round < 3; round++)
    expect((await runAll()).map(([result]) => result?.context.n)).toEqual([0, 1, 2, 3, 4])
  sandbox.close()
})

const inline = (text: string): ScriptSource => ({
  stageId: 's',
  file: 'pipelines/a (1).yaml',
  line: 10,
  column: 5,
  text,
})

async function runInline(text: string) {
  const sandbox = createSandbox()
  const program = sandbox.load([inline(text)], { memoryMb: 16 })
  const [result] = await program.run({
    runId: 'r',
    context: sampleContext(),
    stages: [{ stageId: 's', continueOnError: false }],
    limits: { timeoutMs: 300, timeoutName: 'the limit here' },
    signal: new AbortController().signal,
    host: { fetch: () => Promise.reject(new Error('down')) },
  })
  sandbox.close()
  return result
}

test.each([
  ['function handleRequest() { throw new Error("x") }', 10, 38],
  ['function handleRequest() {\n  helper()\n}\nfunction helper() {\n  null.x\n}', 14, 12],
  ['async function handleRequest() {\n  await null\n  throw new Error("x")\n}', 12, 13],
  ['async function handleRequest() {\n  await fetch("http://a/")\n}', 11, 13],
  ['function handleRequest() {\n  for (;;);\n}', 11, 7],
  ['const a = 1\nfunction handleRequest() {\n  return {{\n}', 12, 15],
  ['[1].map(() => { throw new Error("top") })', 10, 27],
])('errors name the place in the user\u2019s own file: %s', async (text, line, column) => {
  const result = await runInline(text)
  expect(result?.error?.source).toEqual({ file: 'pipelines/a (1).yaml', line, column })
})

test('an error carries the user\u2019s frames and none of ours', async () => {
  const result = await runInline(
    'function handleRequest() {\n  helper()\n}\nfunction helper() {\n  throw new Error("x")\n}',
  )
  expect(result?.error?.frames).toEqual([
    'helper (pipelines/a (1).yaml:14:13)',
    'handleRequest (pipelines/a (1).yaml:11:7)',
  ])
})

test('console entries are snapshots with their place, and integers keep their digits', async () => {
  const result = await runInline(
    `async function handleRequest() {
  const o = { a: [1n, 12345678901234567890n], f() {}, u: undefined, d: new Date(0) }
  o.o = o
  console.log('text', o, undefined)
  o.a = 'changed'
  await null
  console.warn(new Map([['k', new Set([1])]]), NaN)
}`,
  )
  expect(result?.logs).toEqual([
    {
      stageId: 's',
      level: 'log',
      at: expect.any(Number),
      source: { file: 'pipelines/a (1).yaml', line: 13, column: 15 },
      values: [
        { kind: 'json', text: '"text"' },
        {
          kind: 'json',
          text: '{"a":[1,12345678901234567890],"f":"[Function f]","u":"[undefined]","d":"1970-01-01T00:00:00.000Z","o":"[circular]"}',
        },
        { kind: 'text', text: 'undefined' },
      ],
    },
    {
      stageId: 's',
      level: 'warn',
      at: expect.any(Number),
      source: { file: 'pipelines/a (1).yaml', line: 16, column: 15 },
      values: [
        { kind: 'json', text: '{"k":[1]}' },
        { kind: 'text', text: 'NaN' },
      ],
    },
  ])
})

test('what is logged is cut, in length, depth and number', async () => {
  const result = await runInline(
    `function handleRequest() {
  let deep = {}
  for (let i = 0; i < 100; i++) deep = { deep }
  console.log('x'.repeat(1e6), deep, Array(1e5).fill('item'))
  for (let i = 0; i < 3000; i++) console.log(i)
}`,
  )
  const [first] = result?.logs ?? []
  for (const { text } of first?.values ?? []) {
    expect(text.length).toBeLessThan(20_100)
    expect(() => JSON.parse(text)).not.toThrow()
  }
  expect(result?.logs.length).toBe(1001)
  expect(result?.logs.at(-1)?.values[0]?.text).toBe('Further console entries are left out')
})

test('a fetch result can be read in every way scripts know', async () => {
  using program = loadScripts(`async function handleRequest() {
    const r = await fetch('http://a/x', { method: 'put', headers: { a: 1 }, body: 'b' })
    return { seen: [r.status, r.statusText, r.ok, r.headers, r.redirected, r.url, r.body, await r.json(), await r.text(), JSON.parse(r), '' + r] }
  }`)
  const [result] = await program.run()
  const body = '{"ok":1}'
  expect(result?.context.seen).toEqual([
    200,
    'OK',
    true,
    { 'content-type': 'application/json' },
    false,
    'http://a/x',
    body,
    { ok: 1 },
    body,
    { ok: 1 },
    body,
  ])
  expect(program.sent).toEqual([
    { method: 'PUT', url: 'http://a/x', headers: { a: '1' }, body: 'b', redirect: 'follow' },
  ])
})

test('base64, random values and timers do as in browsers', async () => {
  const { context, error } = await runScript(`async function handleRequest() {
    const ids = new Set(Array.from({ length: 50 }, () => crypto.randomUUID()))
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    const fired = []
    const timer = setTimeout(() => fired.push('never'), 1)
    clearTimeout(timer)
    await new Promise((done) => setTimeout((a, b) => { fired.push(a + b); done() }, 10, 'a', 'b'))
    return { ids: ids.size, id: [...ids][0], random: new Set(bytes).size > 10, fired,
      base64: [btoa(''), btoa('a'), btoa('ab'), btoa('abc'), atob('YWI='), atob('YWI'), atob(btoa('\\xff\\x00\\x80'))] }
  }`)
  expect(error).toBeUndefined()
  expect(context).toMatchObject({
    ids: 50,
    id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    random: true,
    fired: ['ab'],
    base64: ['', 'YQ==', 'YWI=', 'YWJj', 'ab', 'ab', '\xff\x00\x80'],
  })
})

test('questionable habits are warnings with a place', () => {
  const sandbox = createSandbox()
  expect(sandbox.check(inline('x = 1\nglobalThis.y = 2'))).toMatchObject([
    { severity: 'warning', code: 'SCRIPT_IMPLICIT_GLOBAL', line: 10, column: 5 },
    { severity: 'warning', code: 'SCRIPT_GLOBAL_WRITE', line: 11, column: 5 },
    { severity: 'warning', code: 'SCRIPT_NO_HANDLER', line: 10, column: 5 },
  ])
  expect(sandbox.check(inline('function handleRequest() {'))).toMatchObject([
    { severity: 'error', code: 'SCRIPT_SYNTAX', line: 10 },
  ])
})
