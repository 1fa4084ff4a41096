import { describe, expect, test } from 'vitest'
import { loadScripts } from '../../test/support/run-script.ts'

/** Each of these leaves something behind where it can and tells what it found. */
const TRACES: Record<string, string> = {
  'a top-level variable': 'var a = (typeof a === "undefined" ? 0 : a) + 1; const found = a',
  'an implicit global': 'const found = typeof leak === "undefined" ? 1 : 2; leak = 5',
  'a member of globalThis': 'const found = globalThis.leak ? 2 : 1; globalThis.leak = 5',
  'a function declaration':
    'const found = typeof count.n === "number" ? 2 : 1; function count() {} count.n = 1',
  'a patched prototype':
    'const found = [].leak ? 2 : 1; try { Array.prototype.leak = 1 } catch {} try { Object.prototype.leak = 1 } catch {}',
  'a replaced built-in':
    'const found = JSON.parse("1"); JSON.parse = () => 2; Math.max = () => 2; try { Object.defineProperty(JSON, "parse", { value: () => 2 }) } catch {}',
  'a member of a built-in': 'const found = Map.leak ? 2 : 1; Map.leak = 1; Math.leak = 1',
  'the last match': 'const found = RegExp.$1 === "xyz" ? 2 : 1; /(xyz)/.test("xyz")',
  'an iterator prototype':
    'const p = Object.getPrototypeOf([].values()); const found = p.leak ? 2 : 1; p.leak = 1',
  'a prototype behind syntax':
    'const p = Object.getPrototypeOf(async function* () {}); const found = p.leak ? 2 : 1; p.leak = 1',
  'a global of ours':
    'const found = crypto.leak || fetch.leak || console.leak || btoa.leak ? 2 : 1; for (const one of [crypto, fetch, console, btoa, setTimeout]) one.leak = 1',
  'a class of ours':
    'const p = Object.getPrototypeOf(fetch); const found = p.leak ? 2 : 1; p.leak = 1',
  'the context': 'const found = context.leak ? 2 : 1; context.leak = 1',
  'a template object':
    'const tag = (strings) => strings; const t = tag`x`; const found = t.leak ? 2 : 1; try { t.leak = 1 } catch {}',
  'the stack trace limit':
    'const found = Error.stackTraceLimit === 1 ? 2 : 1; Error.stackTraceLimit = 1; Error.prepareStackTrace = () => 1',
}

describe.each([
  ['off the main thread', { mainThreadAfter: Infinity }],
  ['on the main thread', { mainThreadAfter: 0 }],
])('%s', (_where, options) => {
  test.each(Object.entries(TRACES))('%s of one run is not seen by another', async (_name, body) => {
    using program = loadScripts(`${body}; function handleRequest() { return { found } }`, options)
    const together = await Promise.all(Array.from({ length: 4 }, () => program.run()))
    const after = await program.run()
    expect([...together, after].map(([result]) => result?.context.found)).toEqual([1, 1, 1, 1, 1])
  })
})

test('ordinary code still works where built-ins are frozen', async () => {
  using program = loadScripts(`
    class Problem extends Error { constructor() { super('m'); this.name = 'Problem'; this.message = 'changed' } }
    function Old() {}
    Old.prototype = Object.create(Object.prototype)
    Old.prototype.constructor = Old
    Old.prototype.toString = function () { return 'old' }
    function handleRequest() {
      const o = {}
      o.constructor = 'c'
      o.toString = () => 'mine'
      o.valueOf = 1
      o.hasOwnProperty = 2
      const f = () => 1
      f.call = 'call'
      const e = new Problem()
      const d = new Date(0)
      d.toJSON = () => 'd'
      return { r: [o.constructor, String(o), o.valueOf, o.hasOwnProperty, f.call, e.name, e.message,
        String(new Old()), new Old().constructor === Old, JSON.stringify(d), e instanceof Problem,
        Object.keys(o).length, [3, 1, 2].sort().join(), 'a-b'.split('-').map((x) => x + x).join()] }
    }`)
  const [result] = await program.run()
  expect(result?.context.r).toEqual([
    'c',
    'mine',
    1,
    2,
    'call',
    'Problem',
    'changed',
    'old',
    true,
    '"d"',
    true,
    4,
    '1,2,3',
    'aa,bb',
  ])
})

test('everything that scripts share is frozen', async () => {
  using program = loadScripts(`
    function handleRequest() {
      const seen = new Set()
      const open = []
      const visit = (object, path) => {
        if (Object(object) !== object || seen.has(object)) return
        seen.add(object)
        if (!Object.isFrozen(object)) open.push(path)
        for (const key of Reflect.ownKeys(object)) {
          const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key)
          visit(value, path + '.' + String(key)); visit(get, path + '.get ' + String(key)); visit(set, path + '.set ' + String(key))
        }
        visit(Reflect.getPrototypeOf(object), path + '.__proto__')
      }
      visit(globalThis, 'globalThis')
      for (const sample of [[].values(), new Map().keys(), new Set().keys(), 'x'[Symbol.iterator](), 'x'.matchAll(/x/g),
        [].values().drop(1), Iterator.from({ next() {} }),
        new Intl.Segmenter().segment('x'), new Intl.Segmenter().segment('x')[Symbol.iterator](), /x/, new Date(), 1n, Symbol(),
        async () => {}, function* () {}, class {}, new Proxy({}, {}), Promise.resolve(), new Uint8Array(1), Temporal.Now.instant()])
        visit(Reflect.getPrototypeOf(Object(sample)), String(Object.prototype.toString.call(sample)))
      return { open, seen: seen.size }
    }`)
  const [result] = await program.run()
  expect(result?.error).toBeUndefined()
  expect(result?.context.open).toEqual([])
  expect(result?.context.seen).toBeGreaterThan(800)
})
