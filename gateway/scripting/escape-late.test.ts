import { expect, test } from 'vitest'
import { loadScripts, sampleContext } from '../../test/support/run-script.ts'

/** Code that goes on after its stage, or tries to be somewhere else when something is counted. */
const LATE: Record<string, string> = {
  'a loop of promises that never ends': '(function again() { Promise.resolve().then(again) })()',
  'a thousand loops of promises':
    'for (let i = 0; i < 1000; i++) (async () => { for (;;) await null })()',
  'a timer that starts itself again':
    'const again = () => { context.late = 1; console.log("late"); fetch("http://late/"); setTimeout(again, 0) }; setTimeout(again, 0)',
  'a thousand timers': 'for (let i = 0; i < 999; i++) setTimeout(() => { context.late = 1 }, i)',
  'a call whose answer comes late':
    'fetch("http://slow/").then(() => { context.late = 1; console.log("late") })',
  'a rejection that nobody handles': 'Promise.reject(new Error("nobody"))',
  'a rejection in a callback': 'setTimeout(() => Promise.reject(new Error("nobody")), 0)',
  'a throw in a callback': 'setTimeout(() => { throw new Error("nobody") }, 0)',
  'a queue of microtasks':
    'queue(); function queue() { for (let i = 0; i < 1e5; i++) Promise.resolve().then(() => { context.late = 1 }) }',
  'an async generator that is never read to its end':
    '(async () => { for await (const x of (async function* () { for (;;) yield 1 })()) context.late = x })()',
  'an async disposal':
    '(async () => { await using x = { async [Symbol.asyncDispose]() { for (let i = 0; i < 100; i++) await null; context.late = 1 } } })()',
}

test.each([
  ['off the main thread', { mainThreadAfter: Infinity }],
  ['on the main thread', { mainThreadAfter: 0 }],
])('what a stage leaves behind reaches nobody, %s', async (_where, options) => {
  for (const [name, body] of Object.entries(LATE)) {
    using program = loadScripts(
      `function handleRequest() { if (context.n === 0) { ${body} } else return { seen: context.late ?? 'nothing', n2: context.n * 2 } }`,
      {
        ...options,
        fetch: async ({ url }) => {
          await new Promise((done) => setTimeout(done, 50))
          const facts = { status: 200, statusText: 'OK', headers: {}, redirected: false }
          return { ...facts, body: '', url }
        },
      },
    )
    const run = (n: number) => program.run({ context: { ...sampleContext(), n }, timeoutMs: 1000 })
    const [bad, ...good] = await Promise.all([run(0), run(1), run(2), run(3)])
    const after = [await run(4), await run(5)]
    const isDone = bad?.[0]?.error === undefined || bad[0].error.code === 'SCRIPT_TIMEOUT'
    expect([name, isDone]).toEqual([name, true])
    for (const [index, results] of [...good, ...after].entries()) {
      expect([name, results[0]?.error, results[0]?.logs]).toEqual([name, undefined, []])
      expect(results[0]?.context).toMatchObject({ seen: 'nothing', n2: (index + 1) * 2 })
    }
  }
})

test.each([
  ['a promise that never settles', 'await new Promise(() => {})'],
  ['a thenable that never calls back', 'return { then() {} }'],
  ['a thenable that gives itself', 'const t = { then(done) { done(t) } }; return t'],
  [
    'a thenable that gives another one for ever',
    'const make = () => ({ then(done) { done(make()) } }); return make()',
  ],
  ['a timer that is far away', 'await new Promise((done) => setTimeout(done, 2 ** 31 + 5))'],
  [
    'a timer at no time',
    'await new Promise((done) => setTimeout(done, NaN)); await new Promise((done) => setTimeout(done, Infinity))',
  ],
  ['a call that is never answered', 'await fetch("http://never/")'],
])('%s ends with the time limit', async (_name, body) => {
  using program = loadScripts(`async function handleRequest() { ${body} }`, {
    fetch: (_request, _stage, signal) =>
      new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
  })
  const startedAt = performance.now()
  const [result] = await program.run({ timeoutMs: 200 })
  expect(result?.error?.code).toBe('SCRIPT_TIMEOUT')
  expect(performance.now() - startedAt).toBeLessThan(5 * 220)
})

test('a run may ask the host a thousand times, and no more', async () => {
  using program = loadScripts(
    `async function handleRequest() {
      const calls = Array.from({ length: 1100 }, (_, i) => fetch('http://a/' + i))
      setTimeout(() => {}, 0)
      const refused = new Set((await Promise.allSettled(calls)).flatMap((one) => one.reason?.code ?? []))
      return { refused: [...refused] }
    }`,
  )
  const [result] = await program.run({ timeoutMs: 4000 })
  expect(program.sent.length).toBe(1000)
  expect(result?.context.refused).toEqual(['CALL_LIMIT'])
  expect(result?.logs).toMatchObject([
    {
      level: 'error',
      values: [
        { text: '"setTimeout failed:"' },
        { text: expect.stringContaining('More than 1000') },
      ],
    },
  ])
})
