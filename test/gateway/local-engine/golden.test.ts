import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEngine, temporaryFolder, type TestEngine } from './engine.ts'

const root = join(import.meta.dirname, '../../..')
const golden = join(root, 'test/fixtures/local-engine/golden')
const movies = join(root, 'samples/data/movies.ndjson')

interface Golden {
  readonly name: string
  readonly query: object
  readonly size?: number
  readonly total: number
  readonly hits: readonly (readonly [id: string, score: number])[]
}

const read = (path: string) => readFileSync(path, 'utf8')
const linesOf = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => line !== '')

function loadGolden(name: string): Golden[] {
  const queries = linesOf(join(golden, name, 'queries.jsonl')).map((line) => JSON.parse(line))
  const sizes = new Map(queries.map(({ name, size }) => [name, size]))
  return linesOf(join(golden, name, 'golden.jsonl'))
    .map((line) => JSON.parse(line))
    .filter(({ query }) => query !== undefined)
    .map((one) => ({ ...one, size: sizes.get(one.name) ?? one.size }))
}

/** The documents of a `_bulk` body in so many requests, each a segment of its own. */
async function load(engine: TestEngine, index: string, file: string, parts: number) {
  const lines = linesOf(file)
  const perPart = Math.ceil(lines.length / 2 / parts) * 2
  for (let from = 0; from < lines.length; from += perPart) {
    const body = `${lines.slice(from, from + perPart).join('\n')}\n`
    const { body: answer } = await engine.send('POST', `/${index}/_bulk?refresh=true`, body)
    expect(answer.errors).toBe(false)
  }
}

/** Ids may differ among equal scores only, so these are put in one order. */
const ordered = (hits: readonly (readonly [string, number])[]) =>
  hits.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))

async function differences(engine: TestEngine, index: string, expected: readonly Golden[]) {
  const wrong: string[] = []
  for (const { name, query, size = 10, total, hits } of expected) {
    const { body } = await engine.send('POST', `/${index}/_search?track_total_hits=true`, {
      query,
      size,
      _source: false,
    })
    const found: [string, number][] | undefined = body.hits?.hits.map(
      ({ _id, _score }: { _id: string; _score: number }) => [_id, Math.fround(_score)],
    )
    const wanted = hits.map(([id, score]): [string, number] => [id, Math.fround(score)])
    const last = wanted.at(-1)?.[1] ?? 0
    // What stands last may be one of several with its score, of which only some are shown.
    const sure = (list: readonly (readonly [string, number])[]) =>
      JSON.stringify(ordered(list).map(([id, score]) => [score > last ? id : '', score]))
    if (body.hits?.total.value !== total || sure(found ?? []) !== sure(wanted)) wrong.push(name)
  }
  return wrong
}

test(
  'the golden results, over HTTP: one segment, seven, and after a restart',
  { timeout: 180_000 },
  async () => {
    await using folder = await temporaryFolder()
    const first = await startEngine({ dataDir: folder.path })
    const { mappings } = JSON.parse(read(join(golden, 'movies/index.json')))
    await first.send('PUT', '/movies', { mappings })
    await load(first, 'movies', movies, 7)
    const { body } = await first.send('GET', '/movies/_stats')
    expect(body._all.primaries.segments.count).toBe(7)
    const expected = [...loadGolden('movies'), ...loadGolden('cross-fields')]
    expect(expected.length).toBeGreaterThan(600)
    expect(await differences(first, 'movies', expected)).toEqual([])
    await first.close()

    await using again = await startEngine({ dataDir: folder.path })
    expect(
      await differences(
        again,
        'movies',
        expected.filter((_, i) => i % 5 === 0),
      ),
    ).toEqual([])
    await again.send('POST', '/movies/_forcemerge?max_num_segments=1')
    expect(
      await differences(
        again,
        'movies',
        expected.filter((_, i) => i % 3 === 0),
      ),
    ).toEqual([])
  },
)
