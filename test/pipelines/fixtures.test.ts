import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import type { Trace } from '../../gateway/contract/trace.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { openPipeline, parseFile } from '../support/run-pipeline.ts'

/** What the client sends, and what the world around the pipeline is like. */
interface Fixture {
  /** `POST /a` with the host `test` where it says nothing else. */
  request?: { method?: string; url?: string; headers?: Record<string, string>; body?: unknown }
  /** Global envs, overlaid with those of the selected environment. */
  envs?: Record<string, unknown>
  limits?: Record<string, number>
  /** By method and path; a body that is no text is sent as JSON. `null` never answers. */
  answers?: Record<string, { status?: number; body: unknown; delayMs?: number } | null>
}

/**
 * `name.request.json` beside the pipeline `name.yaml`; left out where there is nothing to say. With
 * `cases`, each is a request of its own to the same pipelines.
 */
interface FixtureFile extends Fixture {
  cases?: Record<string, Fixture>
  /** Pipelines of the same folder that are served beside it; their names end in `.other.yaml`. */
  others?: string[]
  /** Versions of one stored pipeline: the live one is this file, the older ones lie beside it. */
  versions?: { live: number; older: Record<string, number> }
  /** Values behind `${{NAME}}`. */
  environment?: Record<string, string>
  /** Only which pipeline takes the request, and why. */
  matchOnly?: boolean
}

/** Headers that differ from one run, or one version of Node, to the next. */
const VARYING = new Set(['x-took', 'date', 'connection', 'keep-alive', 'content-length'])
/** Longer values are left to the tests of what makes them. */
const LONGEST = 80

const ENDINGS = /(?:\.yaml|\.yml|\.pipeline\.json)$/
const files = globSync('test/pipelines/**/*.{yaml,yml,pipeline.json}')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.other.yaml'))
  .toSorted()
const toText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

test.each(files.map((file) => [file.replace('test/pipelines/', ''), file]))(
  '%s',
  async (_name, path) => {
    const stem = path.replace(ENDINGS, '')
    const requests = `${stem}.request.json`
    // Our own files, written to this shape.
    const file = (existsSync(requests) ? readJson(requests) : {}) as FixtureFile
    const actual = await runFixture(path, file)
    const expected = `${stem}.expected.json`
    if (process.env['UPDATE_FIXTURES'])
      writeFileSync(expected, `${JSON.stringify(actual, null, 2)}\n`)
    expect(actual).toEqual(readJson(expected))
  },
)

async function runFixture(path: string, file: FixtureFile): Promise<unknown> {
  const text = readFileSync(path, 'utf8')
  const { definition, diagnostics } = parseFile(
    { path, text },
    { SERVER: 'http://server', ...file.environment },
  )
  const told = { ...(diagnostics.length > 0 && { diagnostics: diagnostics.map(toLine) }) }
  if (!definition) return told
  if (!file.cases) return { ...told, ...(await runCase({ path, text }, file, file)) }
  const cases: Record<string, unknown> = {}
  for (const [name, fixture] of Object.entries(file.cases))
    cases[name] = await runCase({ path, text }, file, fixture)
  return { ...told, cases }
}

async function runCase(
  main: { path: string; text: string },
  { others = [], versions, environment, matchOnly }: FixtureFile,
  { request: { body = '', ...request } = {}, envs, limits, answers = {} }: Fixture,
) {
  await using server = await startFakeEngine(({ method, url }, response) => {
    const found = answers[`${method} ${url}`]
    if (found === null) return
    response.statusCode = found ? (found.status ?? 200) : 404
    setTimeout(() => response.end(toText(found?.body ?? 'not in the fixture')), found?.delayMs)
  })
  const readOther = (name: string) => {
    const path = join(dirname(main.path), name).replaceAll('\\', '/')
    return { path, text: readFileSync(path, 'utf8') }
  }
  const older = Object.entries(versions?.older ?? {}).map(([name, version]) => ({
    ...readOther(name),
    version,
    isLive: false,
  }))
  const live = versions ? { ...main, version: versions.live, isLive: true } : main
  await using pipeline = openPipeline(live, {
    serverUrl: server.url,
    others: [...others.map(readOther), ...older],
    ...(environment && { environment }),
  })
  const facts = { url: '/a', headers: { host: 'test' }, ...request, body: toText(body) }
  if (matchOnly)
    return Object.fromEntries(
      pipeline
        .explain(facts, envs)
        .map(({ pipelineId, outcome, reason }) => [
          pipelineId,
          outcome === 'taken' ? outcome : `${outcome}: ${reason}`,
        ]),
    )
  if (pipeline.explain(facts, envs).every(({ outcome }) => outcome !== 'taken'))
    return { taken: false }
  const { response, trace } = await pipeline.run(facts, {
    ...(envs && { envs }),
    ...(limits && { limits }),
  })
  const headers = Object.fromEntries(
    Object.entries(response.headers).filter(([name]) => !VARYING.has(name)),
  )
  // Whatever names the server's port or the moment is replaced.
  const actual = JSON.stringify({ response: { ...response, headers }, ...summarise(trace) })
    .replaceAll(server.url, 'http://server')
    .replaceAll(/\\"took\\":\d+/g, '\\"took\\":0')
  return JSON.parse(actual) as object
}

const toLine = ({ severity, code, message, source: { line, column } }: Diagnostic) =>
  `${line}:${column} ${severity} ${code}: ${message}`

/** A trace without times. */
const summarise = (trace: Trace | undefined) => ({
  run: { status: trace?.status, code: trace?.code, continued: trace?.continued },
  spans: trace?.spans.map(
    ({ stageId, status, reason, error, changes, droppedWrites, logs, calls, endTime = 0 }) => ({
      stageId,
      status,
      ...(endTime > (trace.responseTime ?? Infinity) && { afterTheAnswer: true }),
      ...(reason !== undefined && { reason }),
      ...(error && { error }),
      changes: changes
        .filter(({ path }) => !VARYING.has(String(path.at(-1))))
        .map(({ kind, path, before = '', after = '', warning }) =>
          [
            kind,
            path.join('.'),
            ...[before, after].filter(({ length }) => length <= LONGEST),
            warning,
          ]
            .filter(Boolean)
            .join(' | '),
        ),
      ...(droppedWrites.length > 0 && { droppedWrites }),
      ...(logs.length > 0 && {
        logs: logs.map(({ level, values, source }) =>
          [level, `${source?.line}:${source?.column}`, ...values.map(({ text }) => text)].join(' '),
        ),
      }),
      ...(calls.length > 0 && {
        calls: calls.map(({ method, url, status, error }) =>
          [method, url, status ?? error].join(' '),
        ),
      }),
    }),
  ),
})
