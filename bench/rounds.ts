import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadOptions, LoadResult } from './load.ts'
import { type Contestant, cpuMicros } from './processes.ts'

const loadFile = fileURLToPath(new URL('load.ts', import.meta.url))

/** Requests before anything is measured. */
const WARM_UP = 20_000

/** One contestant's measurements, one of each per round. */
export interface Measured {
  name: string
  cpuMicros: number[]
  perSecond: number[]
  p99Ms: number[]
  failures: number
}

/** Loads the contestants in turn, round after round, from a process that does nothing else. */
export async function measureRounds(
  contestants: readonly (Contestant & { request: Partial<LoadOptions> })[],
  shared: Omit<LoadOptions, 'url'>,
  rounds: number,
): Promise<Measured[]> {
  const measured = contestants.map(({ name }): Measured => {
    return { name, cpuMicros: [], perSecond: [], p99Ms: [], failures: 0 }
  })
  // Until the compiler is done with the hot path; it is the same for all.
  for (const { url, request } of contestants)
    await loadFrom({ ...shared, ...request, url, clients: 16, seconds: 1, atLeast: WARM_UP })
  for (let round = 0; round < rounds; round++)
    for (const [index, { url, pids, request }] of contestants.entries()) {
      const before = cpuMicros(pids)
      const result = await loadFrom({ ...shared, ...request, url })
      const spent = cpuMicros(pids) - before
      const row = measured[index]
      if (!row) continue
      row.cpuMicros.push(spent / result.requests)
      row.perSecond.push(result.requests / result.seconds)
      row.p99Ms.push(result.p99Ms)
      row.failures += result.failures
    }
  return measured
}

async function loadFrom(options: LoadOptions): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    loadFile,
    JSON.stringify(options),
  ])
  return JSON.parse(stdout)
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Prints one line a contestant, with ratios to the one named `against`. */
export function printTable(title: string, rows: readonly Measured[], against: string) {
  const base = rows.find(({ name }) => name === against)
  const cells = rows.map((row) => [
    row.name,
    `${median(row.cpuMicros).toFixed(0)} (${Math.min(...row.cpuMicros).toFixed(0)}–${Math.max(...row.cpuMicros).toFixed(0)})`,
    `${(median(row.cpuMicros) / median(base?.cpuMicros ?? [])).toFixed(2)}×`,
    median(row.perSecond).toFixed(0),
    `${(median(row.perSecond) / median(base?.perSecond ?? [])).toFixed(2)}×`,
    median(row.p99Ms).toFixed(1),
    String(row.failures),
  ])
  const head = ['', 'CPU µs/request', 'ratio', 'requests/s', 'ratio', 'p99 ms', 'failed']
  const widths = head.map((_, i) =>
    Math.max(...[head, ...cells].map((line) => line[i]?.length ?? 0)),
  )
  const print = (line: readonly string[]) =>
    console.log(
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('   '),
    )
  console.log(`\n${title}`)
  for (const line of [head, ...cells]) print(line)
}
