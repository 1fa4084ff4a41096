import { expect, test } from 'vitest'
import { loadScripts, runScript } from '../../../test/support/run-script.ts'

/** The value of an expression in a script. */
async function evaluate(expression: string): Promise<unknown> {
  const { context, error } = await runScript(
    `function handleRequest() { return { found: (() => { ${expression.includes('return ') ? expression : `return ${expression}`} })() } }`,
    { timeoutMs: 5000 },
  )
  if (error) throw error
  return context.found
}

test.each<[expression: string, value: unknown]>([
  ['_ === lodash', true],
  ['_.groupBy([{ a: "x", n: 1 }, { a: "y" }], "a")', { x: [{ a: 'x', n: 1 }], y: [{ a: 'y' }] }],
  ['_.chain([1, 2, 3]).map((n) => n * 2).filter((n) => n > 2).reverse().value()', [6, 4]],
  ['_.set({}, "a.b[0].c", 4)', { a: { b: [{ c: 4 }] } }],
  ['_.template("hi <%- name %>")({ name: "<b>" })', 'hi &lt;b&gt;'],
  ['_.partial((a, b) => [a, b], _, 1)(2)', [2, 1]],
  ['_.curry((a, b, c) => a + b + c)(1)(2)(3)', 6],
  [
    '_.mergeWith({ a: [1] }, { a: [2] }, (x, y) => Array.isArray(x) ? x.concat(y) : undefined)',
    { a: [1, 2] },
  ],
  ['_.uniq([_.uniqueId("x"), _.uniqueId("x")]).length', 2],
  ['_.cloneDeep({ a: new Map([[1, { b: 2 }]]) }).a.get(1).b', 2],
  ['_.memoize((n) => n + 1)(2)', 3],
])('lodash: %s', async (expression, value) => {
  expect(await evaluate(expression)).toEqual(value)
})

test.each<[expression: string, value: unknown]>([
  ['crypto.MD5("x").toString()', '9dd4e461268c8034f5c8564e155c67a6'],
  [
    'CryptoJS.SHA256("x").toString(CryptoJS.enc.Base64)',
    'LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=',
  ],
  [
    'CryptoJS.HmacSHA256("a", "b").toString()',
    'cb448b440c42ac8ad084fc8a8795c98f5b7802359c305eabd57ecdb20e248896',
  ],
  [
    'CryptoJS.AES.decrypt(CryptoJS.AES.encrypt("hi", "pw"), "pw").toString(CryptoJS.enc.Utf8)',
    'hi',
  ],
  [
    'const key = CryptoJS.enc.Hex.parse("00112233445566778899aabbccddeeff"); return CryptoJS.AES.encrypt("hi", key, { iv: key, mode: CryptoJS.mode.CTR, padding: CryptoJS.pad.NoPadding }).ciphertext.toString()',
    '0a9f',
  ],
  ['CryptoJS.PBKDF2("p", "s", { keySize: 8, iterations: 10 }).toString().length', 64],
  ['CryptoJS.SHA3("x", { outputLength: 256 }).toString().slice(0, 8)', '7521d1ca'],
  [
    'const h = CryptoJS.algo.SHA256.create(); h.update("a"); h.update("b"); return h.finalize().toString().slice(0, 8)',
    'fb8e20fc',
  ],
  ['CryptoJS.enc.Base64.parse("aGVsbG8=").toString(CryptoJS.enc.Utf8)', 'hello'],
  [
    'CryptoJS.lib.WordArray.random(16).toString() === CryptoJS.lib.WordArray.random(16).toString()',
    false,
  ],
  ['crypto.randomUUID() === crypto.randomUUID()', false],
  [
    '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/.test(crypto.randomUUID()) && crypto.MD5("").toString().length',
    32,
  ],
  ['const Mine = CryptoJS.lib.Base.extend({ init(n) { this.n = n } }); return Mine.create(3).n', 3],
])('crypto-js: %s', async (expression, value) => {
  expect(await evaluate(expression)).toEqual(value)
})

test.each<[expression: string, value: unknown]>([
  ['nlp("John Smith went to Paris").people().out("array")', ['John Smith']],
  ['nlp("he walks").verbs().toPastTense().text()', 'walked'],
  ['nlp("half a million").numbers().toNumber().text()', '500000'],
  ['nlp("five hundred and two").numbers().get()', [502]],
  ['nlp("on june 5 2020").dates({ timezone: "UTC" }).get()[0].start.slice(0, 10)', '2020-06-05'],
  ['nlp("it starts at 4pm").times().get()[0]["24h"]', '16:00'],
  ['nlp("a b c").match("b").replaceWith("d").all().text()', 'a d c'],
  ['nlp("heat was good", { heat: "MovieTitle" }).match("#MovieTitle").text()', 'heat'],
  [
    'nlp("the big sleep was good", { "the big sleep": "MovieTitle" }).match("#MovieTitle+").text()',
    'the big sleep',
  ],
  ['nlp("hello").debug().text()', 'hello'],
])('compromise: %s', async (expression, value) => {
  expect(await evaluate(expression)).toEqual(value)
})

test.each([
  ['_.mixin({ a() {} })', '_.mixin would change lodash for other runs'],
  ['_.delay(() => {}, 1)', '_.delay is not available: use setTimeout'],
  ['nlp.addWords({ heat: "MovieTitle" })', 'nlp.addWords would change compromise for other runs'],
  ['nlp.plugin({})', 'nlp.plugin would change compromise'],
  ['nlp.extend({})', 'nlp.extend would change compromise'],
  ['CryptoJS.lib.WordArray.init = 1', 'Cannot change "init" of a shared library'],
])('what would change a library is refused: %s', async (expression, message) => {
  await expect(evaluate(expression)).rejects.toThrow(message)
})

/** Each of these leaves something behind where it can and tells what it found. */
const TRACES: Record<string, string> = {
  'a member of lodash':
    'const found = _.leak ? 2 : 1; _.leak = 1; try { Object.defineProperty(_.prototype, "leak", { value: 1 }) } catch {}',
  'a mixin of lodash':
    'const found = _([]).leak ? 2 : 1; try { _.mixin({ leak: () => 1 }) } catch {} try { _.prototype.leak = 1 } catch {}',
  'a replaced function of lodash':
    'const found = _.identity(1); try { _.identity = () => 2 } catch {}',
  'settings of templates':
    'const found = _.templateSettings.leak ? 2 : 1; _.templateSettings.leak = 1; _.templateSettings.imports.leak = 1; if (_.templateSettings.imports.leak) found++',
  'the cache class of memoize':
    'const p = _.memoize.Cache.prototype; const found = p.leak ? 2 : 1; p.leak = 1; try { p.get = () => 2; _.memoize.Cache = null } catch {}',
  'the placeholder of partial':
    'const found = _.partial((a) => a, _)(1); _.partial.placeholder = 5; _.placeholder = 5',
  'a wrapper of lodash':
    'const p = Object.getPrototypeOf(_([1]).map((x) => x)); const found = p.leak ? 2 : 1; p.leak = 1; Object.getPrototypeOf(p).leak = 1',
  'a member of crypto-js':
    'const found = CryptoJS.leak || crypto.leak ? 2 : 1; CryptoJS.leak = 1; crypto.leak = 1',
  'a mixed-in member of crypto-js':
    'const found = CryptoJS.lib.WordArray.create().leak ? 2 : 1; try { CryptoJS.lib.WordArray.mixIn({ leak: 1 }) } catch {} try { CryptoJS.lib.Base.leak = 1 } catch {}',
  'a replaced hash':
    'const found = CryptoJS.MD5("x").toString().startsWith("9dd4") ? 1 : 2; try { CryptoJS.MD5 = () => 1 } catch {} try { CryptoJS.algo.MD5._doReset = () => 1 } catch {}',
  'the table of base64':
    'const found = CryptoJS.enc.Base64.parse("aQ==").toString() === "69" ? 1 : 2; CryptoJS.enc.Base64._reverseMap[97] = 5; try { CryptoJS.enc.Base64._map = "x" } catch {}',
  'a word of compromise':
    'const found = nlp("blorg").has("#Leak") ? 2 : 1; try { nlp("blorg", { blorg: "Leak" }) } catch {} try { nlp.addWords({ blorg: "Leak" }) } catch {}',
  'the lexicon of compromise':
    'const found = nlp("blorg").has("#FirstName") ? 2 : 1; try { nlp("x").model.one.lexicon.blorg = "FirstName" } catch {} try { nlp.model().one.lexicon.blorg = "FirstName" } catch {}',
  'a tag of compromise':
    'const found = nlp("x").world.model.one.tagSet.Leak ? 2 : 1; try { nlp("x").tag("Leak"); nlp.addTags({ Leak: {} }) } catch {} try { nlp("x").model.one.tagSet.Leak = {} } catch {}',
  'a method of compromise':
    'const p = Object.getPrototypeOf(nlp("x")); const found = p.leak ? 2 : 1; try { p.leak = 1 } catch {} try { Object.getPrototypeOf(p).leak = 1 } catch {} try { nlp("x").methods.one.leak = 1 } catch {}',
  'a set of compromise': `const found = [0]; const seen = new Set(); const visit = (o) => { if (Object(o) !== o || seen.has(o)) return; seen.add(o); if (o instanceof Set || o instanceof Map) { try { if (o.has('leak')) found[0]++; o.add ? o.add('leak') : o.set('leak', 1) } catch {} }
    for (const k of Reflect.ownKeys(o)) visit(Reflect.getOwnPropertyDescriptor(o, k).value) }; visit(nlp('x').world); found[0]++`,
}

test.each([
  ['off the main thread', { mainThreadAfter: Infinity }],
  ['on the main thread', { mainThreadAfter: 0, budgetMs: 5000 }],
])('nothing that one run does to a library is seen by another, %s', async (_where, options) => {
  const bodies = Object.entries(TRACES).map(
    ([name, body]) =>
      `context[${JSON.stringify(name)}] = (() => { ${body}; return [found].flat()[0] })()`,
  )
  using program = loadScripts(
    `function handleRequest() { ${bodies.join('\n')}\n return context }`,
    options,
  )
  const run = () => program.run({ timeoutMs: 10_000 })
  const first = await Promise.all([run(), run()])
  const results = [...first, await run()].map(([result]) => result)
  for (const result of results) {
    expect(result?.error).toBeUndefined()
    for (const name of Object.keys(TRACES)) expect([name, result?.context[name]]).toEqual([name, 1])
  }
})

test('everything of a library that a script can reach is frozen', async () => {
  const { context, error } = await runScript(
    `function handleRequest() {
      const seen = new Set()
      const open = []
      const visit = (object, path) => {
        if (Object(object) !== object || seen.has(object)) return
        seen.add(object)
        if (!Object.isFrozen(object) || object instanceof Map || object instanceof Set) open.push(path)
        for (const key of Reflect.ownKeys(object)) {
          const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key)
          visit(value, path + '.' + String(key)); visit(get, path + '.get ' + String(key)); visit(set, path + '.set ' + String(key))
        }
        visit(Reflect.getPrototypeOf(object), path + '.__proto__')
      }
      visit(_, '_'); visit(CryptoJS, 'CryptoJS'); visit(nlp, 'nlp'); visit(crypto, 'crypto')
      visit(nlp.world(), 'world'); visit(nlp('x').methods, 'methods'); visit(nlp('x').model, 'model')
      let stack
      _.mergeWith({ a: {} }, { a: { b: 1 } }, (...values) => { stack = values.at(-1) })
      const samples = { chain: _([1]).map(_.identity), stack, list: stack.__data__, hash: new _.memoize.Cache().__data__.hash, words: CryptoJS.lib.WordArray.create(), md5: CryptoJS.algo.MD5.create(),
        cipher: CryptoJS.AES.encrypt('a', 'b'), view: nlp('june 5'), dates: nlp('june 5').dates(), numbers: nlp('5').numbers() }
      for (const [name, sample] of Object.entries(samples)) visit(Reflect.getPrototypeOf(sample), name)
      return { open: open.slice(0, 10), seen: seen.size }
    }`,
    { timeoutMs: 10_000 },
  )
  expect(error).toBeUndefined()
  expect(context.open).toEqual([])
  expect(context.seen).toBeGreaterThan(10_000)
})

test('two isolates from one snapshot have random numbers of their own', async () => {
  const draw = () =>
    evaluate('[Math.random(), _.uniqueId(), _.random(1e9), CryptoJS.lib.WordArray.random(8) + ""]')
  const [first, second] = [await draw(), await draw()]
  // Safe: the expression gives a list.
  for (const [index, value] of (first as unknown[]).entries())
    expect((second as unknown[])[index]).not.toBe(value)
})

test('a script that names no library is not given one', async () => {
  const { context } = await runScript(
    'function handleRequest() { return { found: [typeof globalThis._, typeof globalThis.sluiceLibraries, typeof crypto.randomUUID(), "MD5" in globalThis] } }',
  )
  expect(context.found).toEqual(['undefined', 'undefined', 'string', false])
})

test('names of libraries can be used for variables', async () => {
  const { context, error } = await runScript(
    'const lodash = 1; let nlp = 2; var _ = 3; function CryptoJS() { return 4 } function handleRequest() { return { found: [lodash, nlp, _, CryptoJS()] } }',
  )
  expect(error).toBeUndefined()
  expect(context.found).toEqual([1, 2, 3, 4])
})
