import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import type { Trace } from '../../gateway/contract/trace.ts'
import { startFakeEngine } from '../support/fake-engine.ts'
import { openPipeline } from '../support/run-pipeline.ts'

/** `name.request.json`: what the client sends, and what the server behind the pipeline answers. */
interface Fixture {
  request: { method?: string; url: string; headers?: Record<string, string>; body?: unknown }
  envs?: Record<string, unknown>
  /** By method and path; a body that is no text is sent as JSON. */
  answers?: Record<string, { status?: number; body: unknown; delayMs?: number }>
}

/** Headers that differ from one run, or one version of Node, to the next. */
const VARYING = new Set(['x-took', 'date', 'connection', 'keep-alive', 'content-length'])
/** Longer values are left to the tests of what makes them. */
const LONGEST = 80

const names = globSync('test/pipelines/*.yaml').map((file) => basename(file, '.yaml'))
const toText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

test.each(names)('%s', async (name) => {
  const path = `test/pipelines/${name}`
  // Our own files, written to this shape.
  const fixture = JSON.parse(readFileSync(`${path}.request.json`, 'utf8')) as Fixture
  await using server = await startFakeEngine((request, response) => {
    const found = fixture.answers?.[`${request.method} ${request.url}`]
    response.statusCode = found ? (found.status ?? 200) : 404
    setTimeout(() => response.end(toText(found?.body ?? 'not in the fixture')), found?.delayMs)
  })
  const text = readFileSync(`${path}.yaml`, 'utf8')
  await using pipeline = openPipeline({ path: `${path}.yaml`, text }, { serverUrl: server.url })
  const { body, ...request } = fixture.request
  const { response, trace } = await pipeline.run(
    { headers: { host: 'test' }, ...request, body: toText(body ?? '') },
    { ...(fixture.envs && { envs: fixture.envs }) },
  )
  const headers = Object.fromEntries(
    Object.entries(response.headers).filter(([name]) => !VARYING.has(name)),
  )
  // Whatever names the server's port or the moment is replaced.
  const actual = JSON.stringify({ response: { ...response, headers }, ...summarise(trace) })
    .replaceAll(server.url, 'http://server')
    .replaceAll(/\\"took\\":\d+/g, '\\"took\\":0')
  if (process.env['UPDATE_FIXTURES'])
    writeFileSync(`${path}.expected.json`, `${JSON.stringify(JSON.parse(actual), null, 2)}\n`)
  expect(JSON.parse(actual)).toEqual(JSON.parse(readFileSync(`${path}.expected.json`, 'utf8')))
})

/** A trace without times. */
const summarise = (trace: Trace | undefined) => ({
  run: { status: trace?.status, code: trace?.code, continued: trace?.continued },
  spans: trace?.spans.map(
    ({ stageId, status, reason, error, changes, droppedWrites, logs, calls }) => ({
      stageId,
      status,
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
