import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SendResponse } from '../../gateway/contract/exchange.ts'
import { Trace, type Span } from '../../gateway/contract/trace.ts'
import {
  headersToSend,
  parseRequestDocument,
  type RequestBlock,
} from '../../renderer/stores/request-document.ts'
import { ENGINE_START_MS, describeWithOpenSearch, useOpenSearch } from '../support/engines.ts'
import { loadMovies } from '../support/load-movies.ts'
import { callControl, startSluice, temporaryFolder, type Sluice } from '../support/start-sluice.ts'

const samples = fileURLToPath(new URL('../../samples', import.meta.url))
const documents = readdirSync(join(samples, 'requests')).toSorted()
const blocksOf = (document: string) =>
  parseRequestDocument(readFileSync(join(samples, 'requests', document), 'utf8')).blocks
const firstBlockOf = (document: string) => blocksOf(document)[0]

interface Movie {
  imdb_rating: number
  major_genre: string
}

const folder = temporaryFolder()
let sluice: Sluice

/** The sample workspace, with `broken` a second time as its comment says how to mend it. */
function copySamples() {
  cpSync(samples, folder.dir, { recursive: true })
  const pipelines = join(folder.dir, 'pipelines')
  const broken = readFileSync(join(pipelines, 'broken.pipeline.yaml'), 'utf8')
  const mended = broken
    .replace('id: broken', 'id: mended')
    .replace('path: /ranked', 'path: /mended')
    .replace("USE_ES: 'no'", "USE_ES: 'yes'")
  writeFileSync(join(pipelines, 'mended.pipeline.yaml'), mended)
}
afterAll(() => folder[Symbol.dispose]())

/** Sends a block as the workbench does. */
async function send(block: RequestBlock | undefined) {
  if (!block) throw new Error('no such request')
  const runId = crypto.randomUUID()
  const { method, path, body } = block
  const headers = headersToSend(block)
  const reply = await callControl(sluice, 'POST', '/api/send', {
    runId,
    method,
    path,
    headers,
    body,
  })
  expect(reply).toMatchObject({ status: 200 })
  return SendResponse.parse(reply.body)
}

async function traceOf({ runId }: SendResponse) {
  const { body } = await callControl(sluice, 'GET', `/api/runs/${runId}`)
  const trace = Trace.parse(body)
  const span = (stageId: string): Span => {
    const found = trace.spans.find((one) => one.stageId === stageId)
    if (!found) throw new Error(`no stage ${stageId} in ${JSON.stringify(trace.spans)}`)
    return found
  }
  const statuses = Object.fromEntries(trace.spans.map(({ stageId, status }) => [stageId, status]))
  return { trace, span, statuses }
}

function declareTests(start: () => Promise<Sluice>) {
  beforeAll(async () => {
    sluice = await start()
  }, ENGINE_START_MS)
  afterAll(() => sluice.stop())

  describe.for(documents)('requests/%s', (document) => {
    test.for(blocksOf(document).map((block) => ({ ...block })))('$name', async (block) => {
      expect(block.expectStatus, 'has a line "// @expect status …"').toBeDefined()
      const answer = await send(block)
      expect([answer.status, answer.body]).toEqual([block.expectStatus, answer.body])
    })
  })

  describe('the movies pipeline', () => {
    test('answers with hits, facets and what its scripts added', async () => {
      const answer = JSON.parse((await send(firstBlockOf('search.http'))).body)
      expect(answer).toMatchObject({
        results: { hits: { total: { relation: 'eq' } } },
        genre: { aggregations: { major_genre: { buckets: expect.any(Array) } } },
        rating: { aggregations: { min: { value: expect.any(Number) } } },
        overview: { total: answer.results.hits.total.value },
      })
      expect(answer.results.hits.hits).toHaveLength(12)
      for (const { _source, above_genre } of answer.results.hits.hits) {
        expect(['Action', 'Drama', 'Comedy', 'Adventure']).toContain(_source.major_genre)
        expect(_source.imdb_rating).toBeGreaterThanOrEqual(5)
        expect(above_genre).toEqual(expect.any(Number))
      }
      const genres = answer.genre.aggregations.major_genre.buckets
      expect(genres.length).toBeGreaterThan(4)
    })

    test('shows a continued failure, and the three keys that enrich adds', async () => {
      const answer = await send(firstBlockOf('search.http'))
      expect(answer.headers).toContainEqual(['x-sluice-continued', 'popularity'])
      const { trace, span, statuses } = await traceOf(answer)
      expect(trace).toMatchObject({ status: 'ok', continued: ['popularity'] })
      expect(statuses).toEqual({
        authorization: 'ok',
        genreFigures: 'ok',
        popularity: 'continued',
        translate: 'ok',
        search: 'ok',
        enrich: 'ok',
        respond: 'ok',
      })
      expect(span('enrich').changes.map(({ kind, path }) => [kind, ...path])).toEqual([
        ['added', 'genres'],
        ['added', 'hits'],
        ['added', 'overview'],
      ])
      const [merged, missing] = span('enrich').logs
      expect(merged).toMatchObject({ level: 'log', source: { file: 'pipelines/movies/enrich.js' } })
      expect(merged?.values[0]?.text).toBe('"merged 12 hits"')
      expect(missing).toMatchObject({ level: 'warn' })
    })
  })

  test('the suggest pipeline asks two things at the same time and waits for both', async () => {
    const answer = await send(firstBlockOf('suggest.http'))
    const { suggestions } = JSON.parse(answer.body)
    expect(suggestions).toContainEqual(expect.objectContaining({ type: 'title' }))
    expect(suggestions).toContainEqual({ type: 'person', text: 'Steven Spielberg', movies: 23 })
    const { span } = await traceOf(answer)
    const [titles, people, merge] = [span('titles'), span('people'), span('merge')]
    expect(titles.startTime).toBeLessThan(people.endTime ?? 0)
    expect(people.startTime).toBeLessThan(titles.endTime ?? 0)
    expect(merge.startTime).toBeGreaterThanOrEqual(
      Math.max(titles.endTime ?? 0, people.endTime ?? 0),
    )
  })

  describe('the broken pipeline', () => {
    test('stops at the line of the script that threw, after a stage that was skipped', async () => {
      const { trace, span, statuses } = await traceOf(await send(firstBlockOf('broken.http')))
      expect(trace.status).toBe('failed')
      expect(statuses).toEqual({ authorization: 'ok', es: 'skippedByTrigger', rank: 'failed' })
      expect(span('rank').error).toMatchObject({
        message: expect.stringContaining("Cannot read properties of undefined (reading 'hits')"),
        source: { file: 'pipelines/broken/rank.js', line: 14, column: 22 },
      })
      expect(span('es').reason).toContain('USE_ES')
    })

    test('works when mended as its comment says', async () => {
      const [block] = blocksOf('broken.http')
      const answer = await send(block && { ...block, path: '/mended' })
      expect(answer.status).toBe(200)
      const { hits } = JSON.parse(answer.body)
      const ratings = hits.hits.map(({ _source }: { _source: Movie }) => _source.imdb_rating)
      expect(ratings).toHaveLength(20)
      expect(ratings[0]).toBeGreaterThan(ratings[19])
    })
  })

  test('two pages that define one global variable both get the value that was read last', async () => {
    for (const block of blocksOf('pages.http')) {
      const { hits } = JSON.parse((await send(block)).body)
      const genres = hits.hits.map(({ _source }: { _source: Movie }) => _source.major_genre)
      expect(new Set(genres)).toEqual(new Set(['Drama']))
    }
  })

  test('a long number sent through the engine requests keeps its digits', async () => {
    const reading = blocksOf('engine.http').find(({ path }) => path === '/notes/_doc/1')
    const writing = blocksOf('engine.http').find(({ path }) => path.startsWith('/notes/_bulk'))
    expect(await send(writing)).toMatchObject({ status: 200, traced: false })
    expect((await send(reading)).body).toContain('"id": 103195600828599841')
  })
}

copySamples()
describe('local engine', () => declareTests(() => startSluice(['--workspace', folder.dir])))
describeWithOpenSearch('OpenSearch', () =>
  declareTests(async () => {
    const { url } = await useOpenSearch()
    await loadMovies(url, 'movies')
    return startSluice(['--workspace', folder.dir, '--engine', url])
  }),
)
