import { expect, test } from 'vitest'
import { loadScripts, runScript } from '../../../test/support/run-script.ts'

const found = async (body: string) => {
  const { context, error } = await runScript(`async function handleRequest() { ${body} }`)
  if (error) throw error
  return context.found
}

const BODY = '{"ok":1}'

test('an answer of fetch is used like its body', async () => {
  expect(
    await found(`
      const r = await fetch('http://a/')
      return { found: [JSON.parse(r), r + '', r == '{"ok":1}', r.length, r.includes('ok'), r.slice(1, 5), r.split(':').length,
        r.replace('ok', 'no'), /ok/.test(r), [...r].length, r.at(-1), (await r.json()).ok, await r.text(), r.body] }`),
  ).toEqual([{ ok: 1 }, BODY, true, 8, true, '"ok"', 2, '{"no":1}', true, 8, '}', 1, BODY, BODY])
})

test('an answer of fetch has what browsers give', async () => {
  expect(
    await found(
      `const { status, statusText, ok, headers, redirected, url } = await fetch('http://a/b', { method: 'put', body: 'x' }); return { found: { status, statusText, ok, headers, redirected, url } }`,
    ),
  ).toEqual({
    status: 200,
    statusText: 'OK',
    ok: true,
    headers: { 'content-type': 'application/json' },
    redirected: false,
    url: 'http://a/b',
  })
})

test('headers of an answer are read as members, and by name as in browsers', async () => {
  expect(
    await found(
      `const { headers } = await fetch('http://a/'); return { found: [headers['content-type'], headers.get('Content-Type'), headers.get('constructor'), headers.has('CONTENT-TYPE'), headers] }`,
    ),
  ).toEqual([
    'application/json',
    'application/json',
    null,
    true,
    { 'content-type': 'application/json' },
  ])
})

test('a body and headers that cannot be sent are refused before anything is', async () => {
  using program = loadScripts(
    `async function handleRequest() { try { await fetch('http://a/', { body: { a: 1 } }) } catch (e) { return { found: e.message } } }`,
  )
  const [result] = await program.run()
  expect(result?.context.found).toBe('fetch: body must be a string; use JSON.stringify for objects')
  expect(program.sent).toEqual([])
})

test('nothing that a global shares between runs can be written to', async () => {
  expect(
    await found(`
      const seen = new Set()
      const open = []
      const visit = (object, path) => {
        if (Object(object) !== object || seen.has(object)) return
        seen.add(object)
        if (!Object.isFrozen(object)) open.push(path)
        for (const key of Reflect.ownKeys(object)) {
          const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key)
          visit(value, path + '.' + String(key)); visit(get, path + '.get'); visit(set, path + '.set')
        }
        visit(Reflect.getPrototypeOf(object), path + '.__proto__')
      }
      const samples = { answer: await fetch('http://a/'), timer: setTimeout(() => {}, 0), console, KV, fetch, setTimeout, clearTimeout }
      for (const [name, sample] of Object.entries(samples)) visit(Reflect.getPrototypeOf(sample), name)
      visit(ndjson, 'ndjson'); visit(crypto, 'crypto'); visit(btoa, 'btoa')
      return { found: open }`),
  ).toEqual([])
})

test('a script holds only so much of the host with bodies under way', async () => {
  using program = loadScripts(
    `async function handleRequest() {
      const body = 'x'.repeat(10_000_000)
      const calls = Array.from({ length: 4 }, () => fetch('http://a/', { method: 'POST', body }))
      const first = (await Promise.allSettled(calls)).map((one) => one.reason?.name ?? one.status)
      return { found: [...first, (await fetch('http://a/', { method: 'POST', body })).status] }
    }`,
  )
  const [result] = await program.run({ timeoutMs: 5000 })
  expect(result?.context.found).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'RangeError', 200])
})

test('ndjson reads and writes lines', async () => {
  expect(
    await found(
      `return { found: [ndjson.parse('{"index":{}}\\n\\n{"a":1}\\r\\n'), ndjson.stringify([{ a: 1 }, null, undefined, 'x'])] }`,
    ),
  ).toEqual([[{ index: {} }, { a: 1 }], '{"a":1}\nnull\nnull\n"x"\n'])
  await expect(found(`ndjson.parse('{}\\n{')`)).rejects.toThrow('ndjson.parse: line 2:')
  await expect(found(`ndjson.stringify({})`)).rejects.toThrow('must be an array')
})

test.each([
  ['btoa("ÿa")', '/2E='],
  ['atob(" /2 E=")', 'ÿa'],
  ['atob(btoa("any bytes\\u0000"))', 'any bytes\u0000'],
])('%s', async (expression, value) => {
  expect(await found(`return { found: ${expression} }`)).toBe(value)
})

test('the console keeps values as they were, each entry with its place', async () => {
  const { logs } = await runScript(
    `function handleRequest() {\n  const o = { a: [1, 2n] }\n  console.log('x', o, new Map([['k', 1]]))\n  o.a = 5\n  console.assert(o.a === 6, 'not six')\n}`,
  )
  expect(logs).toMatchObject([
    {
      level: 'log',
      values: [{ text: '"x"' }, { text: '{"a":[1,2]}' }, { text: '{"k":1}' }],
      source: { file: 's0.js', line: 3, column: 11 },
    },
    {
      level: 'error',
      values: [{ text: '"Assertion failed"' }, { text: '"not six"' }],
      source: { line: 5 },
    },
  ])
})
