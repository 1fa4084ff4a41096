import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ENGINE_START_MS,
  describeWithOpenSearch,
  startTestLocalEngine,
  uniqueName,
  useOpenSearch,
  type TestEngine,
} from '../support/engines.ts'
import { loadMovies } from '../support/load-movies.ts'
import { expectSame } from './support/expect-same.ts'
import { SEARCH_REQUESTS } from './support/search-requests.ts'
import { send } from './support/send.ts'

const index = uniqueName('movies')
let engines: TestEngine[] = []
const addresses = () => ({ local: engines[0]?.url ?? '', real: engines[1]?.url ?? '' })

describeWithOpenSearch('searches over the movies', () => {
  beforeAll(async () => {
    engines = await Promise.all([startTestLocalEngine(), useOpenSearch()])
    for (const engine of engines) await loadMovies(engine.url, index)
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
    await expectSame(addresses(), `search: ${name}`, { method: 'POST', path, body }, index)
  })
})
