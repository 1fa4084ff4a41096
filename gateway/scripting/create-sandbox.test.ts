import { expect, test } from 'vitest'
import { loadScripts, runScript, sampleContext } from '../../test/support/run-script.ts'
import { createSandbox } from './create-sandbox.ts'
import { errors } from '../errors.ts'

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
    error: { code: 'SCRIPT_TIMEOUT', message: 'The script took longer than 150 ms' },
    logs: [{ values: [{ text: '"here"' }] }],
  })
})

test('more programs than isolates are served all the same', async () => {
  const sandbox = createSandbox({ maxIsolates: 2 })
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
          limits: { timeoutMs: 2000 },
          signal: new AbortController().signal,
          host: { fetch: () => Promise.reject(new Error('unused')) },
        }),
      ),
    )
  for (let round = 0; round < 3; round++)
    expect((await runAll()).map(([result]) => result?.context.n)).toEqual([0, 1, 2, 3, 4])
  sandbox.close()
})
