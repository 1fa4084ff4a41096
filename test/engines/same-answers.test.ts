import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ENGINE_START_MS,
  describeWithOpenSearch,
  startTestLocalEngine,
  uniqueName,
  useOpenSearch,
  type TestEngine,
} from '../support/engines.ts'
import { KNOWN_DIFFERENCES } from './support/known-differences.ts'
import { SEARCH_REQUESTS } from './support/search-requests.ts'
import { send, stable } from './support/send.ts'

const data = join(import.meta.dirname, '../../samples/data')
const index = uniqueName('movies')
let engines: TestEngine[] = []

/** The movies in one segment: the order of equal scores then is the order of the file. */
async function loadMovies({ url }: TestEngine) {
  const mapping = JSON.parse(readFileSync(join(data, 'movies.mapping.json'), 'utf8')) as {
    settings: object
  }
  const settings = { ...mapping.settings, refresh_interval: '-1' }
  const body = readFileSync(join(data, 'movies.ndjson'), 'utf8')
  const requests = [
    { method: 'PUT', path: '/INDEX', body: { ...mapping, settings } },
    { method: 'POST', path: '/INDEX/_bulk?refresh=true', body },
    { method: 'POST', path: '/INDEX/_forcemerge?max_num_segments=1' },
  ]
  for (const request of requests) {
    const answer = await send(url, request, index)
    expect(answer, `${request.method} ${request.path}`).toMatchObject({ status: 200 })
  }
}

describeWithOpenSearch('searches over the movies', () => {
  beforeAll(async () => {
    engines = await Promise.all([startTestLocalEngine(), useOpenSearch()])
    for (const engine of engines) await loadMovies(engine)
  }, ENGINE_START_MS)
  afterAll(async () => {
    for (const { url } of engines) await send(url, { method: 'DELETE', path: '/INDEX' }, index)
    await Promise.all(engines.map((engine) => engine.stop()))
  })

  test('are at least a hundred', () => {
    expect(SEARCH_REQUESTS.length).toBeGreaterThanOrEqual(100)
  })

  test.for(SEARCH_REQUESTS)('$name', async ({ name, body, parameters = '' }) => {
    const path = `/INDEX/_search?${parameters}`
    const [local, real] = await Promise.all(
      engines.map(({ url }) => send(url, { method: 'POST', path, body }, index)),
    )
    if (KNOWN_DIFFERENCES[name]) expect(stable(local)).not.toEqual(stable(real))
    else expect(stable(local)).toEqual(stable(real))
  })
})
