import { describe, expect, test } from 'vitest'
import { loadScripts, sampleContext } from '../../test/support/run-script.ts'

const TROUBLE: Record<string, { body: string; code: string; timeoutMs?: number }> = {
  'a throw': { body: 'throw new Error("no")', code: 'SCRIPT_THREW' },
  'an endless loop': { body: 'for (;;);', code: 'SCRIPT_TIMEOUT', timeoutMs: 300 },
  'an endless loop after an await': {
    body: 'await null; for (;;);',
    code: 'SCRIPT_TIMEOUT',
    timeoutMs: 300,
  },
  'an endless loop after a call': {
    body: 'await fetch("http://a/"); for (;;);',
    code: 'SCRIPT_TIMEOUT',
    timeoutMs: 300,
  },
  'a memory bomb': {
    body: 'const all = []; for (;;) all.push({ one: all.length })',
    code: 'SCRIPT_MEMORY',
    timeoutMs: 5000,
  },
  'a rejected promise': { body: 'await Promise.reject(new TypeError("x"))', code: 'SCRIPT_THREW' },
  'an endless loop in a getter of the result': {
    body: 'return { get a() { for (;;); } }',
    code: 'SCRIPT_TIMEOUT',
    timeoutMs: 300,
  },
  'a promise that never settles': {
    body: 'await new Promise(() => {})',
    code: 'SCRIPT_TIMEOUT',
    timeoutMs: 300,
  },
}

const KINDS = {
  synchronous: '',
  'waiting for a microtask': 'await null;',
  'waiting for a timer': 'await new Promise((resolve) => setTimeout(resolve, 5));',
}

describe.each([
  ['off the main thread', { mainThreadAfter: Infinity }],
  ['on the main thread', { mainThreadAfter: 0 }],
])('%s', (_where, options) => {
  describe.each(Object.entries(KINDS))('among runs that are %s', (kind, before) => {
    test.each(Object.entries(TROUBLE))(
      '%s in one run of twenty leaves nineteen right',
      async (_name, { body, code, timeoutMs = 2000 }) => {
        const isAsync = kind !== 'synchronous' || body.includes('await')
        const ordinary = isAsync
          ? `async function work() { ${before} return { done: context.n } }`
          : 'function work() { return { done: context.n } }'
        using program = loadScripts(
          `${ordinary}
          ${isAsync ? 'async' : ''} function trouble() { ${body} }
          function handleRequest() { return context.n === 7 ? trouble() : work() }`,
          options,
        )
        const runs = Array.from({ length: 20 }, (_, n) =>
          program.run({ context: { ...sampleContext(), n }, timeoutMs }),
        )
        const results = await Promise.all(runs)
        expect(results.map(([result]) => result?.error?.code ?? result?.context.done)).toEqual(
          results.map((_, n) => (n === 7 ? code : n)),
        )
      },
    )
  })

  test('a script that has sent a request is entered once, whatever the others do', async () => {
    using program = loadScripts(
      `async function handleRequest() {
        if (context.n === 3) { await new Promise((resolve) => setTimeout(resolve, 20)); for (;;); }
        await fetch('http://a/' + context.n)
        if (context.n === 5) for (const all = []; ; ) all.push({})
        await new Promise((resolve) => setTimeout(resolve, 10))
        await fetch('http://b/' + context.n)
        return { done: context.n }
      }`,
      options,
    )
    const runs = Array.from({ length: 8 }, (_, n) =>
      // Long enough for the seven that wait behind the one that fills its heap.
      program.run({ context: { ...sampleContext(), n }, timeoutMs: 6000 }),
    )
    const results = await Promise.all(runs)
    const urls = program.sent.map(({ url }) => url)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls).not.toContain('http://a/3')
    for (const [n, [result]] of results.entries())
      if (n === 3) expect(result?.error?.code).toBe('SCRIPT_TIMEOUT')
      else if (n === 5) expect(result?.error?.code).toBe('SCRIPT_MEMORY')
      else expect([n, 'SCRIPT_INTERRUPTED']).toContain(result?.error?.code ?? result?.context.done)
  })

  test('the pipeline serves on while one run uses up its time', async () => {
    using program = loadScripts(
      'function handleRequest() { if (context.n === 0) for (;;); return { done: 1 } }',
      options,
    )
    const order: number[] = []
    const note = (n: number) => () => void order.push(n)
    const loop = program.run({ context: { n: 0 }, timeoutMs: 1500 }).then(note(0))
    for (let n = 1; n < 6; n++) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      await program.run({ context: { n } }).then(note(n))
    }
    await loop
    expect(order).toEqual([1, 2, 3, 4, 5, 0])
  })
})

test('a program moves to the main thread once it has shown to be short, and back after an overrun', async () => {
  using program = loadScripts(
    'function handleRequest() { if (context.n < 0) for (;;); return { n: context.n + 1 } }',
    { mainThreadAfter: 5 },
  )
  for (let n = 0; n < 20; n++)
    expect((await program.run({ context: { n } }))[0]?.context.n).toBe(n + 1)
  const [result] = await program.run({ context: { n: -1 }, timeoutMs: 200 })
  expect(result?.error?.code).toBe('SCRIPT_TIMEOUT')
  for (let n = 0; n < 20; n++)
    expect((await program.run({ context: { n } }))[0]?.context.n).toBe(n + 1)
})
