import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import { startSluice } from '../support/start-sluice.ts'

const BOMBS = [
  'for (;;);',
  'const all = []; for (;;) all.push({ one: all.length })',
  '/^(a|a)*$/.test("a".repeat(60) + "b")',
  'let s = "x"; for (;;) s += s',
  'for (;;) fetch("http://127.0.0.1:9/", { method: "POST", body: "y".repeat(1e6) })',
  '(function again() { Promise.resolve().then(again) })()',
  'for (;;) console.log("y".repeat(1000))',
  'await new Promise(() => {})',
]

const pipeline = (id: string, script: string) => `id: ${id}
routes:
  - path: /${id}
    method: POST
stages:
  - id: work
    continueOnError: false
    script: |
${script.replace(/^/gm, '      ')}
`

/** What is promised is three times the normal; a test allows five times what is promised. */
const MOST_TIMES = 15
const REQUESTS = 400
/** As many at the same time as the machines of the tests have processors. */
const BOMBERS = 2
const MOST_REQUESTS = 4000

test('scripts that blow up leave another pipeline its speed', async () => {
  using workspace = makeWorkspace({
    'pipelines/good.pipeline.yaml': pipeline(
      'good',
      `function handleRequest() {
  const { n } = JSON.parse(context.request.body)
  return { response: { code: 200, body: JSON.stringify({ n: n + 1 }) } }
}`,
    ),
    ...Object.fromEntries(
      BOMBS.map((body, index) => [
        `pipelines/bomb${index}.pipeline.yaml`,
        pipeline(`bomb${index}`, `async function handleRequest() { ${body} }`),
      ]),
    ),
  })
  const flags = ['--workspace', workspace.dir, '--engine', 'http://127.0.0.1:9']
  await using sluice = await startSluice(flags)
  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    fetch(`${sluice.gateway}/${path}`, { method: 'POST', body: JSON.stringify(body), signal })

  /** The 99th percentile of requests one after another, in milliseconds. */
  async function p99(isEnough: () => boolean): Promise<number> {
    const times: number[] = []
    for (let n = 0; n < REQUESTS || (!isEnough() && n < MOST_REQUESTS); n++) {
      const startedAt = performance.now()
      const reply = await post('good', { n })
      const text = await reply.text()
      times.push(performance.now() - startedAt)
      expect([reply.status, text]).toEqual([200, `{"n":${n + 1}}`])
      await sleep(2)
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity
  }

  await p99(() => true)
  const normal = await p99(() => true)
  const stop = new AbortController()
  const exploded: number[] = []
  const bombers = Array.from({ length: BOMBERS }, async (_, bomber) => {
    for (let n = bomber; !stop.signal.aborted; n += BOMBERS) {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(1000)])
      await post(`bomb${n % BOMBS.length}`, {}, signal)
        .then((reply) => exploded.push(reply.status))
        .catch(() => exploded.push(0))
      await sleep(20)
    }
  })
  const underBombs = await p99(() => exploded.length >= BOMBS.length)
  stop.abort()
  await Promise.all(bombers)
  const figures = `p99 ${normal.toFixed(1)} ms alone, ${underBombs.toFixed(1)} ms beside ${exploded.length} bombs`
  console.log(figures)
  expect(exploded.length).toBeGreaterThanOrEqual(BOMBS.length)
  expect(underBombs, figures).toBeLessThan(normal * MOST_TIMES)
  expect((await post('good', { n: 1 })).status).toBe(200)
})
