import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  ENGINE_START_MS,
  describeWithOpenSearch,
  startTestLocalEngine,
  uniqueName,
  useOpenSearch,
  type TestEngine,
} from '../support/engines.ts'
import { CRUD_STORIES } from './support/crud-stories.ts'
import { expectSame } from './support/expect-same.ts'
import { MISTAKEN_QUERIES } from './support/mistaken-queries.ts'
import { MISTAKEN_REQUESTS } from './support/mistaken-requests.ts'
import { send } from './support/send.ts'

let engines: TestEngine[] = []
const addresses = () => ({ local: engines[0]?.url ?? '', real: engines[1]?.url ?? '' })

describeWithOpenSearch('indices and documents', () => {
  beforeAll(async () => {
    engines = await Promise.all([startTestLocalEngine(), useOpenSearch()])
  }, ENGINE_START_MS)
  afterAll(() => Promise.all(engines.map((engine) => engine.stop())))

  const stories = { ...CRUD_STORIES, ...MISTAKEN_QUERIES, ...MISTAKEN_REQUESTS }
  describe.for(Object.entries(stories))('%s', ([story, requests]) => {
    const index = uniqueName('crud')
    afterAll(async () => {
      const path = '/INDEX,INDEX-2?ignore_unavailable=true'
      for (const { url } of engines) await send(url, { method: 'DELETE', path }, index)
    })

    const steps = requests.map((request, place) => ({
      request,
      step: place + 1,
      name: `${place + 1}. ${request.method} ${request.path.slice(0, 80)}`,
    }))
    test.for(steps)('$name', async ({ step, request }) => {
      await expectSame(addresses(), `${story}: ${step}`, request, index)
    })
  })
})
