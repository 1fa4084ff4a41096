import { expect, test } from 'vitest'
import { loadScripts, runScript } from '../../../test/support/run-script.ts'
import { createScriptStore } from '../script-store.ts'

test('what one run puts another one gets, whichever pipeline it belongs to', async () => {
  using writer = loadScripts(
    `function handleRequest() { KV.put('t1:a', 'one'); return { found: [KV.get('t1:a'), KV.get('t1:none')] } }`,
  )
  using reader = loadScripts(`function handleRequest() { return { found: KV.get('t1:a') } }`)
  const [written] = await writer.run()
  expect(written?.context.found).toEqual(['one', null])
  const [read] = await reader.run()
  expect(read?.context.found).toBe('one')
})

test('the later stages of a run see what the earlier ones put', async () => {
  using program = loadScripts([
    `function handleRequest() { KV.put('t2:a', '1') }`,
    `async function handleRequest() { const now = KV.get('t2:a'); KV.put('t2:a', now + '2'); await fetch('http://a/'); return { found: KV.get('t2:a') } }`,
    `function handleRequest() { return { later: KV.get('t2:a') } }`,
  ])
  const results = await program.run()
  expect(results.at(-1)?.context).toMatchObject({ found: '12', later: '12' })
})

test.each([
  ['KV.get()', 'KV.get takes one argument: the key'],
  ['KV.get("a", "b")', 'KV.get takes one argument: the key'],
  ['KV.put("a")', 'KV.put takes two arguments: the key and the value'],
  ['KV.put("a", 1)', 'KV: the value must be a string; use JSON.stringify for objects'],
  ['KV.get(1)', 'KV: the key must be a string; use JSON.stringify for objects'],
  ['KV.put("a", "x".repeat(1e6))', 'KV.put: at most 1000000 characters, key included'],
  ['for (let i = 0; i < 501; i++) KV.put("t3", "x")', 'KV.put: at most 500 times in one run'],
])('%s is refused', async (call, message) => {
  const { error } = await runScript(`function handleRequest() { ${call} }`)
  expect(error?.message).toContain(message)
})

test('a stretch of code that is entered again stores nothing twice', async () => {
  using program = loadScripts(
    `function handleRequest() {
      const seen = Number(KV.get('t4:count') ?? 0)
      KV.put('t4:count', String(seen + 1))
      if (context.request.body === 'slow') for (const end = Date.now() + 150; Date.now() < end; );
    }`,
    { mainThreadAfter: 0, budgetMs: 5 },
  )
  const context = {
    request: { method: 'GET', url: '/', headers: {}, body: 'slow' },
    response: {},
    envs: {},
  }
  const [slow] = await program.run({ context })
  expect(slow?.error).toBeUndefined()
  const { context: after } = await runScript(
    `function handleRequest() { return { found: KV.get('t4:count') } }`,
  )
  expect(after.found).toBe('1')
})

test('a run that fails by its time limit has stored nothing since it last waited', async () => {
  const { error } = await runScript(`function handleRequest() { KV.put('t5:a', 'x'); for (;;); }`, {
    timeoutMs: 100,
  })
  expect(error?.code).toBe('SCRIPT_TIMEOUT')
  const { context } = await runScript(
    `function handleRequest() { return { found: KV.get('t5:a') } }`,
  )
  expect(context.found).toBeNull()
})

test('twenty runs at once find the store whole', async () => {
  using program = loadScripts(
    `function handleRequest() { const key = 't6:' + context.envs.n; KV.put(key, key); return { found: KV.get(key) } }`,
  )
  const runs = Array.from({ length: 20 }, (_, n) =>
    program.run({ context: { request: {}, response: {}, envs: { n } } }),
  )
  const results = await Promise.all(runs)
  expect(results.map(([result]) => result?.context.found)).toEqual(
    Array.from({ length: 20 }, (_, n) => `t6:${n}`),
  )
})

test('the store forgets what is too old, and the oldest when there is too much', async () => {
  const store = createScriptStore({ maxAgeMs: 30, maxChars: 10 })
  store.put('a', '1234')
  store.put('b', '1234')
  expect([store.get('a'), store.get('b')]).toEqual(['1234', '1234'])
  store.put('c', '1')
  expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([null, '1234', '1'])
  await new Promise((done) => setTimeout(done, 40))
  expect(store.get('b')).toBeNull()
})
