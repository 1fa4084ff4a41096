import { expect, test } from 'vitest'
import { loadScripts, runScript } from '../../test/support/run-script.ts'

/** Each tries to turn an object that it is given into a way out, and says what it found. */
const ATTEMPTS: Record<string, [attempt: string, found: unknown]> = {
  'the constructor of an async function': [
    'return (async () => {}).constructor("return typeof process")()',
    'undefined',
  ],
  'the constructor of a generator': [
    'return (function* () {}).constructor("yield typeof process")().next().value',
    'undefined',
  ],
  'the constructor of an async generator': [
    'return (await (async function* () {}).constructor("yield typeof require")().next()).value',
    'undefined',
  ],
  'the constructor behind a global of ours': [
    'return [setTimeout, console.log, clearTimeout, btoa, crypto.randomUUID, KV.get, ndjson.parse].map((f) => f.constructor("return typeof process + typeof require")()).join()',
    Array.from({ length: 7 }, () => 'undefinedundefined').join(),
  ],
  'the constructor behind a library': [
    'return [_, CryptoJS.MD5, nlp].map((f) => f.constructor("return typeof process")()).join()',
    'undefined,undefined,undefined',
  ],
  'a template that runs code': [
    'return _.template("<%= typeof process + typeof require + typeof globalThis.report %>")({})',
    'undefinedundefinedundefined',
  ],
  'settings of a template that run code': [
    'return _.template("x", { variable: "obj=process.exit()){});(function(" })({})',
    'threw Error: Invalid `variable` option passed into `_.template`',
  ],
  'this of a plain function': ['return (function () { return this === globalThis })()', true],
  'eval by another name': [
    'return (0, eval)("typeof process + typeof module")',
    'undefinedundefined',
  ],
  'a symbol of the host': [
    'return Object.getOwnPropertySymbols(globalThis).map(String).concat(Object.getOwnPropertySymbols(context).map(String), Object.getOwnPropertySymbols(fetch).map(String)).join()',
    '',
  ],
  'a symbol that Node knows': [
    'return { [Symbol.for("nodejs.util.inspect.custom")]: () => process, [Symbol.for("nodejs.rejection")]: 1, ok: 1 }',
    { ok: 1 },
  ],
  'a proxy around a global of ours': [
    'const p = new Proxy(fetch, { apply: (f, self, values) => Reflect.apply(f, { host: 1 }, values) }); return (await p("http://a/")).status',
    200,
  ],
  'a proxy in place of the settings of fetch': [
    'let keys = []; await fetch("http://a/", new Proxy({}, { get(t, key, receiver) { keys.push(String(key)); return undefined } })); return keys.join()',
    'redirect,method,headers,body',
  ],
  'headers that are a trap': [
    'return (await fetch("http://a/", { headers: new Proxy({}, { ownKeys: () => ["x-a"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (t, k) => k === "x-a" ? { toString: () => "1" } : undefined }) })).status',
    200,
  ],
  'a header that is no text': [
    'return (await fetch("http://a/", { headers: { "x-a": { toString() { throw new Error("mine") } } } })).status',
    'threw Error: mine',
  ],
  'an address that changes when it is read again': [
    'let reads = 0; const url = { get href() { return reads++ ? "file:///etc/passwd" : "http://a/" } }; await fetch(url); return reads',
    1,
  ],
  'a species of our array': [
    'class Mine extends Array { static get [Symbol.species]() { return function () { return globalThis } } } return { a: [...Mine.from([1, 2])] }.a.length',
    2,
  ],
  'a species of arrays themselves': [
    'try { Object.defineProperty(Array, Symbol.species, { value: function () { return {} } }) } catch (e) { return e.constructor.name }',
    'TypeError',
  ],
  'a species of promises': [
    'class Mine extends Promise { static get [Symbol.species]() { return function (f) { f(() => {}, () => {}) } } } return Mine.resolve(3)',
    3,
  ],
  'a generator as result': ['return (function* () { yield typeof process })()', {}],
  'an async generator as result': ['return (async function* () { yield 1 })()', {}],
  'an iterator that does not end': [
    'return { a: { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) } }.a',
    {},
  ],
  'a toJSON that gives something else each time': [
    'let n = 0; return { a: { toJSON: () => ({ n: ++n }) } }.a',
    { n: 1 },
  ],
  'a toJSON on a built-in prototype': [
    'try { String.prototype.toJSON = () => "x" } catch {} try { Object.prototype.toJSON = () => "x" } catch {} return { a: "y" }',
    { a: 'y' },
  ],
  'a toJSON that gives a function': ['return { a: { toJSON: () => () => process } }', {}],
  'a date that lies': [
    'const d = new Date(0); d.toJSON = () => ({ __proto__: { polluted: 1 }, own: 1 }); return { d }',
    { d: { own: 1 } },
  ],
  'a buffer that is shared': [
    'return typeof SharedArrayBuffer + typeof Atomics',
    'undefinedundefined',
  ],
  'shared memory by way of WebAssembly': ['return typeof WebAssembly', 'undefined'],
  'a buffer that is detached while it crosses': [
    'const b = new ArrayBuffer(8); const v = new Uint8Array(b); b.transfer(); return { v, n: v.length }',
    { v: {}, n: 0 },
  ],
  'weak references to what others hold': [
    'return typeof WeakRef + typeof FinalizationRegistry',
    'undefinedundefined',
  ],
  'the stack of another function': [
    'const e = {}; Error.captureStackTrace(e, handleRequest); return /node:|node_modules|gateway|\\.ts/.test(e.stack)',
    false,
  ],
  'the cause of a failed call': [
    'try { await fetch("http://fail/") } catch (e) { return [e.cause, Object.getPrototypeOf(e) === Error.prototype, /node_modules|gateway/.test(e.stack)].join() }',
    ',true,false',
  ],
  'a thrown built-in error': [
    'try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() }',
    'undefined',
  ],
  'an error out of a full stack': [
    'let e; const f = () => f(); try { f() } catch (x) { e = x } return e.constructor.constructor("return typeof process")()',
    'undefined',
  ],
  'our functions when the stack is full': [
    'let seen = ""; const f = () => { try { f() } catch (e) { try { console.log(1); KV.get("x"); btoa("x") } catch (x) { seen ||= x.constructor.constructor("return typeof process")() } } }; f(); return seen || "undefined"',
    'undefined',
  ],
  'whoever called the handler': [
    'const seen = []; for (const key of ["caller", "arguments"]) try { const value = handleRequest[key]; seen.push(value === null || value === undefined) } catch { seen.push(true) } return seen',
    [true, true],
  ],
  'a getter on the global object': [
    'try { Object.defineProperty(globalThis, "then", { get: () => 1 }) } catch (e) { return e.constructor.name }',
    'TypeError',
  ],
  'a new member of the global object': [
    'globalThis.found = 1; return typeof globalThis.found + Object.isExtensible(globalThis)',
    'undefinedfalse',
  ],
  'the prototype of the global object': [
    'return Reflect.setPrototypeOf(globalThis, { leak: 1 }) + typeof leak',
    'falseundefined',
  ],
  'a getter in the context that looks at us': [
    'Object.defineProperty(context, "evil", { enumerable: true, get() { return new Error().stack.includes("sluice:realm") ? "ours" : "none" } }); return "set"',
    'set',
  ],
  'a number that is none': ['return { a: NaN, b: -0, c: 1e400 }', { a: null, b: 0, c: null }],
  'a number that JSON cannot say': [
    'return JSON.stringify({ a: 10n ** 30n })',
    'threw TypeError: Do not know how to serialize a BigInt',
  ],
  'a key that is a number for the host': ['return { 0: "a", length: 1 }', { 0: 'a', length: 1 }],
  'import.meta': [
    'return eval("import.meta")',
    "threw SyntaxError: Cannot use 'import.meta' outside a module",
  ],
  'an import in a worker of its own': [
    'return typeof Worker + typeof importScripts',
    'undefinedundefined',
  ],
  'a realm of its own': ['return typeof ShadowRealm', 'undefined'],
  'an import in code made from text': [
    'return new Function("return import(\'node:fs\')")().then(() => "imported", () => "refused")',
    'refused',
  ],
}

test.each(Object.entries(ATTEMPTS))('%s leads nowhere', async (_name, [attempt, found]) => {
  using program = loadScripts(
    `async function handleRequest() {
      const attempt = async () => { ${attempt} }
      let found
      try { found = await attempt() } catch (error) { found = 'threw ' + error }
      return { found }
    }`,
    {
      fetch: async ({ url }) => {
        if (url.includes('fail')) throw new Error('down')
        const facts = { status: 200, statusText: 'OK', headers: {}, redirected: false }
        return { ...facts, body: '', url }
      },
    },
  )
  const [result] = await program.run({ timeoutMs: 10_000 })
  expect(result?.error).toBeUndefined()
  expect(result?.context.found).toEqual(found)
  for (const name of ['polluted', 'toJSON', 'then', 'leak'])
    expect(Reflect.get(Object.prototype, name)).toBeUndefined()
})

test('a value that crosses has only plain prototypes', async () => {
  const { context } = await runScript(`function handleRequest() {
    class Mine { constructor() { this.own = 1 } get inherited() { return 2 } }
    const bare = Object.assign(Object.create(null), { a: 1 })
    return { mine: new Mine(), bare, list: Object.assign([1], { extra: 2 }), map: new Map([[1, 2]]), fn() {} }
  }`)
  expect(context.mine).toEqual({ own: 1 })
  for (const one of [context, context.mine, context.bare, context.map])
    expect(Object.getPrototypeOf(one)).toBe(Object.prototype)
  expect(Object.getPrototypeOf(context.list)).toBe(Array.prototype)
  expect(context).not.toHaveProperty('fn')
})
