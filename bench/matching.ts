import { createMatcher } from '../gateway/pipeline/match.ts'
import { parsePipeline } from '../gateway/pipeline/parse-pipeline.ts'
import { compilePlan } from '../gateway/pipeline/plan.ts'
import type { RequestFacts } from '../gateway/pipeline/request-facts.ts'
import { builtInStages } from '../gateway/stages/index.ts'

const SIZES = [10, 100, 1_000, 10_000] as const
const MATCHES_A_ROUND = 200_000

/** What it costs to find the pipeline of a request among more and more pipelines that cannot match. */
export async function benchMatching({ rounds }: { rounds: number; seconds: number }) {
  const plans = makePlans(Math.max(...SIZES))
  const contestants = SIZES.map((size) => ({ size, matcher: createMatcher(plans.slice(0, size)) }))
  for (const [title, url] of [
    ['a request that one pipeline takes', '/shop-3/_search?q=1'],
    ['a request that none takes', '/shop-3/_count'],
  ] as const) {
    const request: RequestFacts = {
      method: 'POST', url, headers: {}, clientIp: '127.0.0.1', isTls: false, body: '',
    } // prettier-ignore
    const measured = contestants.map(({ size, matcher }) => ({
      size,
      once: () => matcher.match(request),
      nanos: [] as number[],
    }))
    for (const { once } of measured) time(once)
    // In turn, so that whatever else the machine does concerns all of them.
    for (let round = 0; round < rounds; round++)
      for (const { once, nanos } of measured) nanos.push(time(once))
    print(title, measured)
  }
}

/** Different first segments, as pipelines of one shop each would have them. */
function makePlans(count: number) {
  return Array.from({ length: count }, (_, at) => {
    const text = JSON.stringify({
      routes: [{ path: `/shop-${at}/_search`, method: 'POST' }],
      trigger: { expression: '$path endsWith "_search"' },
      stages: [{ use: 'searchEngineQuery' }],
    })
    const { definition, sources } = parsePipeline(
      { path: `shop-${at}.json`, text },
      { stages: builtInStages, resolveScript: () => ({ candidates: [] }) },
    )
    if (!definition) throw new Error('A pipeline of the bench does not compile')
    return compilePlan({ definition, sources }, builtInStages)
  })
}

function time(once: () => unknown): number {
  const start = performance.now()
  for (let match = 0; match < MATCHES_A_ROUND; match++) once()
  return ((performance.now() - start) * 1e6) / MATCHES_A_ROUND
}

function print(title: string, rows: readonly { size: number; nanos: readonly number[] }[]) {
  console.log(`\n${title}`)
  const base = median(rows[0]?.nanos ?? [])
  for (const { size, nanos } of rows) {
    const [low, high] = [Math.min(...nanos), Math.max(...nanos)]
    const cells = [
      `${size} pipelines`.padEnd(16),
      `${median(nanos).toFixed(0)} ns/match`.padStart(14),
      `(${low.toFixed(0)}–${high.toFixed(0)})`.padStart(14),
      `${(median(nanos) / base).toFixed(2)}×`.padStart(8),
    ]
    console.log(cells.join(' '))
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
