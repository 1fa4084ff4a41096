import { expect, test } from 'vitest'
import { loadScripts } from '../../test/support/run-script.ts'

const BOMBS: Record<string, string> = {
  'an expression that tries everything': '/^(a|a)*$/.test("a".repeat(60) + "b")',
  'a look-behind that tries everything': '"a".repeat(50000).replace(/(?<=(a+)+)b/g, "")',
  'a replacement that grows': 'let s = "aa"; for (;;) s = s.replace(/a/g, "aa")',
  'a replacement by what was found':
    'const s = "a".repeat(2 ** 24); return { n: s.replace(/a/g, "$`").length }',
  'a large number': 'let n = 3n; for (;;) n *= n',
  'a deep JSON text': 'return { a: JSON.parse("[".repeat(5e6) + "]".repeat(5e6)) }',
  'a toJSON without an end':
    'const make = () => ({ toJSON: make, get a() { return make() } }); return JSON.stringify({ toJSON() { return { a: make() } } })',
  'an array without an end': 'return { a: Array.from({ length: 2 ** 32 - 1 }, (_, i) => i) }',
  'an array with holes': 'const a = []; a[2 ** 31] = 1; return { a: a.map((x) => x), n: a.sort() }',
  'arguments without an end': 'return { a: Math.max(...new Array(2 ** 25)) }',
  'a proxy without an end':
    'let p = {}; for (let i = 0; i < 1e6; i++) p = new Proxy(p, {}); return { a: p.x }',
  'a result that is its own part': 'const a = {}; a.a = a; return { a }',
  'a result of many same parts':
    'let a = ["x".repeat(100)]; for (let i = 0; i < 40; i++) a = [a, a]; return { a }',
  'many maps': 'const all = []; for (;;) all.push(new Map([[all.length, new Set([all])]]))',
  'many promises': 'for (;;) Promise.resolve(new Array(100).fill(1)).then((x) => x)',
  'many buffers': 'const all = []; for (;;) all.push(new ArrayBuffer(2 ** 20))',
  'a buffer that grows':
    'const b = new ArrayBuffer(8, { maxByteLength: 2 ** 34 }); for (let n = 8; ; n *= 2) b.resize(n)',
  'code without an end': 'return { a: new Function("return " + "1+".repeat(1e6) + "1")() }; ',
  'a text in many normal forms':
    'let s = "\\u1e9b\\u0323".repeat(1e6); for (;;) s = s.normalize("NFKD") + s',
  'a sort whose order is none':
    'const a = Array.from({ length: 1e6 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5)',
  'errors with a long way back':
    'const f = (n) => { if (n === 0) throw new Error("x".repeat(1e6)); f(n - 1) }; const all = []; for (;;) try { f(1000) } catch (e) { all.push(e.stack) }',
  'a log without an end': 'for (;;) console.log(context, new Array(1000).fill("y".repeat(1000)))',
  'a log of what has no end': 'console.log(new Proxy({}, { ownKeys() { for (;;); } }))',
  'timers without an end': 'for (;;) setTimeout(() => {}, 0)',
  'calls without an end':
    'for (;;) fetch("http://a/" + "x".repeat(1e5), { method: "POST", body: "y".repeat(1e6) })',
  'stored texts without an end':
    'for (let i = 0; ; i++) try { KV.put("bomb" + i, "x".repeat(9e5)) } catch (e) { if (i > 1e7) throw e }',
  'a range of lodash': 'return { a: _.range(1e9) }',
  'a text of lodash': 'return { a: _.repeat("x", 2 ** 40).length, b: _.padStart("x", 2 ** 40) }',
  'a join of lodash':
    'return { a: _.join({ length: 2 ** 40, join: 1 }, "x".repeat(1000)), b: _.times(1e9) }',
  'a key of crypto-js': 'return { a: CryptoJS.PBKDF2("p", "s", { iterations: 1e9 }).toString() }',
  'a text of compromise': 'return { a: nlp("the old man and the sea. ".repeat(2e4)).json() }',
}

test.each(Object.entries(BOMBS))('%s takes down its own run only', async (_name, body) => {
  using program = loadScripts(
    `function handleRequest() { if (context.n === 0) { ${body} } else return { fine: context.n } }`,
    { memoryMb: 32 },
  )
  const run = (n: number, timeoutMs: number) =>
    program.run({ context: { request: {}, response: {}, envs: {}, n }, timeoutMs })
  // A machine that is busy with others needs time for what is fine, too.
  const [bad, ...good] = await Promise.all([run(0, 200), run(1, 10_000), run(2, 10_000)])
  const after = await run(3, 10_000)
  const code = bad?.[0]?.error?.code ?? 'done'
  expect([
    'done',
    'SCRIPT_THREW',
    'SCRIPT_MEMORY',
    'SCRIPT_TIMEOUT',
    'SCRIPT_RESULT_INVALID',
  ]).toContain(code)
  expect([...good, after].map(([result]) => [result?.error, result?.context.fine])).toEqual([
    [undefined, 1],
    [undefined, 2],
    [undefined, 3],
  ])
})
