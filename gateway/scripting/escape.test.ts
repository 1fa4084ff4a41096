import { expect, test } from 'vitest'
import { loadScripts, runScript } from '../../test/support/run-script.ts'

/** Each tries to reach something of the host and says in `found` what it got hold of. */
const ATTEMPTS: Record<string, string> = {
  'constructor of a constructor':
    'found = typeof this.constructor.constructor("return typeof process")().pid',
  'Function made from text':
    'found = new Function("return typeof process + typeof require + typeof module")()',
  'names of the host':
    'found = [typeof process, typeof require, typeof module, typeof Buffer, typeof ivm, typeof global, typeof __dirname, typeof Deno].join()',
  'the prototype of the context':
    'found = context.constructor.constructor("return typeof process")()',
  'the prototype of the headers':
    'found = Object.getPrototypeOf(context.request.headers).constructor.constructor("return typeof process")()',
  'the class of a fetch result':
    'const r = await fetch("http://a/"); found = r.constructor.constructor("return typeof process")() + typeof r.__ivm_reference',
  'the promise of fetch':
    'found = fetch("http://a/").constructor.constructor("return typeof process")()',
  'the error of a failed call':
    'try { await fetch("http://fail/") } catch (error) { found = error.constructor.constructor("return typeof process")() + (error instanceof Error) }',
  'the caller of a function':
    'function f() { return f.caller } const g = f(); try { found = g === null || g === handleRequest ? "nothing" : typeof g.caller } catch { found = "nothing" }',
  'the caller of a callback':
    'let seen; const o = { toJSON() { try { seen = String(this.toJSON.caller) } catch { seen = "refused" } return {} } }; context.o = o; found = await new Promise((done) => setTimeout(() => done(String(seen)), 1))',
  'the arguments of a function':
    'try { found = typeof handleRequest.arguments.callee.caller } catch { found = "refused" }',
  'call sites of an error':
    'Error.prepareStackTrace = (e, sites) => sites.map((s) => s.getThis && typeof s.getFunction()); found = typeof new Error("x").stack',
  'a call site by captureStackTrace':
    'const o = {}; Error.prepareStackTrace = (_, s) => s; Error.captureStackTrace(o); found = typeof o.stack',
  'the memory of the marks':
    'found = typeof SharedArrayBuffer + typeof Atomics + typeof WebAssembly',
  'a dynamic import by eval':
    'try { found = await eval("im" + "port(\'node:fs\')") } catch (error) { found = "refused" }',
  'the shadow of a getter on Object.prototype':
    'try { Object.defineProperty(Object.prototype, "then", { get() { return 1 } }); found = "defined" } catch { found = "refused" }',
  'a trap in what crosses':
    'try { context.trap = new Proxy({}, { get(t, k, r) { if (k === "toJSON") return undefined; return r }, ownKeys() { return [] } }) } catch {} found = "set"',
  'the global proxy':
    'found = Object.getOwnPropertyNames(globalThis).filter((n) => /process|require|ivm|report|kernel/i.test(n)).join()',
  'the source of our own code':
    'found = typeof Function.prototype.toString.call(console.log).process',
}

test.each(Object.entries(ATTEMPTS))('%s leads nowhere', async (_name, attempt) => {
  using program = loadScripts(
    `async function handleRequest() { let found; try { ${attempt} } catch (error) { found = 'refused' } context.found = String(found) }`,
    {
      fetch: async ({ url }) => {
        if (url.includes('fail')) throw new Error('down')
        const facts = { status: 200, statusText: 'OK', headers: {}, redirected: false }
        return { ...facts, body: '', url }
      },
    },
  )
  const [result] = await program.run()
  expect(result?.error).toBeUndefined()
  expect(result?.context.found).not.toMatch(
    /object|function \w+\(\) \{ \[native|number|stringobject/,
  )
  expect(Reflect.get(Object.prototype, 'then')).toBeUndefined()
})

test('getters and proxies in what a script gives back are read inside the isolate', async () => {
  const { context, error } = await runScript(`function handleRequest() {
    const seen = []
    const trap = new Proxy({ a: 1 }, { get(target, key) { seen.push(String(key)); return target[key] } })
    return { trap, got: { get b() { return typeof process } }, seen }
  }`)
  expect(error).toBeUndefined()
  expect(context).toMatchObject({ trap: { a: 1 }, got: { b: 'undefined' } })
  expect(Object.getPrototypeOf(context.trap)).toBe(Object.prototype)
})

test('a key named __proto__ changes no prototype of the host', async () => {
  const { context } = await runScript(
    `function handleRequest() { return JSON.parse('{"__proto__":{"polluted":1},"envs":{"__proto__":{"polluted":1}},"constructor":{"prototype":{"polluted":1}}}') }`,
  )
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(Object.getPrototypeOf(context)).toBe(Object.prototype)
  expect(Object.getPrototypeOf(context.envs)).toBe(Object.prototype)
})

test('what happens after a stage has ended changes nothing', async () => {
  using program = loadScripts([
    `async function handleRequest() {
        const late = async () => { for (let i = 0; i < 50; i++) await null; context.response.body = 'late'; context.late = 1; console.log('late'); fetch('http://late/') }
        late()
        setTimeout(() => { context.response.body = 'timer' }, 1)
        return { first: 1 }
      }`,
    'async function handleRequest() { await new Promise((done) => setTimeout(done, 30)) }',
  ])
  const results = await program.run()
  expect(results.at(-1)?.context).toMatchObject({ response: { body: '{"hits":3}' }, first: 1 })
  expect(results.at(-1)?.context).not.toHaveProperty('late')
  expect(results.flatMap(({ logs }) => logs)).toEqual([])
  expect(program.sent).toEqual([])
})

test.each([
  ['a result settled twice', 'return { then(done) { done({ a: 1 }); done({ a: 2 }); throw 1 } }'],
  [
    'a promise whose then is not that of promises',
    'const p = Promise.resolve(); const then = (done) => { done({ a: 1 }); done({ a: 2 }) }; return Object.defineProperty(p, "then", { value: then })',
  ],
])('%s counts once', async (_name, body) => {
  const { context } = await runScript(`function handleRequest() { ${body} }`)
  expect(context.a).toBe(1)
})

test.each([
  'throw null',
  'throw undefined',
  'throw Symbol("s")',
  'throw { get message() { throw 1 }, get stack() { throw 2 } }',
  'throw new Proxy({}, { get() { throw 1 } })',
  'throw Object.assign(new Error("x"), { stack: 5, name: {} })',
  'const e = new Error("x".repeat(1e6)); throw e',
  'throw { invalidResult: 5, toString() { throw 1 } }',
])('whatever is thrown arrives as text: %s', async (body) => {
  const { error } = await runScript(`function handleRequest() { ${body} }`)
  expect(error?.code).toBe('SCRIPT_THREW')
  expect(error?.message.length).toBeLessThan(30_000)
})

test.each([
  ['}); globalThis.x = 1; (function () {', 'SCRIPT_SYNTAX'],
  ['} function handleRequest() {', 'SCRIPT_SYNTAX'],
  ['return 1', 'SCRIPT_SYNTAX'],
  ['await 1', 'SCRIPT_SYNTAX'],
  ['import fs from "node:fs"', 'SCRIPT_SYNTAX'],
  ['const f = () => import("node:fs")', 'SCRIPT_SYNTAX'],
])('text that would break out of its function is refused: %s', async (text, code) => {
  expect((await runScript(text)).error?.code).toBe(code)
})

test.each([
  ['a comment that is left open at the end', 'function handleRequest() { return { a: 1 } } //'],
  ['an HTML-like comment', 'function handleRequest() { return { a: 1 } }\n<!-- x'],
])('%s does no harm', async (_name, text) => {
  expect((await runScript(text)).context.a).toBe(1)
})

test.each([
  'let s = "x"; for (;;) s += s',
  'const all = []; for (;;) all.push("x".repeat(1e7) + all.length)',
  'const all = []; for (;;) all.push(new Uint8Array(1e7))',
  'return { huge: "x".repeat(2 ** 29) }',
  'throw new Error("x".repeat(2 ** 28))',
  'console.log("x".repeat(2 ** 28)); for (;;) console.log("x".repeat(1e6))',
  '(function f() { f() })()',
  'const deep = []; let at = deep; for (let i = 0; i < 1e6; i++) at = at[0] = []; return { deep }',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
  '"a".repeat(2e8).split("")',
  'let s = "abcdefgh"; while (s.length < 2e8) s += s; s.split("")',
  'let s = "abcdefgh"; while (s.length < 4e8) s += s; s.replace(/a/g, "b")',
  'new Array(2 ** 27).fill(1)',
  'Array.prototype.indexOf.call({ length: 2 ** 50 }, 1)',
  'const a = new Array(3e7); for (let i = 0; i < 3e7; i++) a[i] = i; a.sort()',
])('the gateway outlives %s', async (body) => {
  const { error } = await runScript(`function handleRequest() { ${body} }`, { timeoutMs: 1500 })
  expect(['SCRIPT_THREW', 'SCRIPT_MEMORY', 'SCRIPT_TIMEOUT', 'SCRIPT_RESULT_INVALID']).toContain(
    error?.code,
  )
})
