import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ENGINE_START_MS,
  describeWithOpenSearch,
  startTestLocalEngine,
  uniqueName,
  useOpenSearch,
  type TestEngine,
} from '../support/engines.ts'
import { CRUD_STORIES } from './support/crud-stories.ts'
import { KNOWN_DIFFERENCES } from './support/known-differences.ts'
import { send, stable } from './support/send.ts'

let engines: TestEngine[] = []

describeWithOpenSearch('indices and documents', () => {
  beforeAll(async () => {
    engines = await Promise.all([startTestLocalEngine(), useOpenSearch()])
  }, ENGINE_START_MS)
  afterAll(() => Promise.all(engines.map((engine) => engine.stop())))

  describe.for(Object.entries(CRUD_STORIES))('%s', ([story, requests]) => {
    const index = uniqueName('crud')
    afterAll(async () => {
      for (const { url } of engines) await send(url, { method: 'DELETE', path: '/INDEX' }, index)
    })

    const steps = requests.map((request, step) => ({
      ...request,
      name: `${step + 1}. ${request.method} ${request.path.slice(0, 80)}`,
    }))
    test.for(steps)('$name', async ({ name, ...request }) => {
      const [local, real] = await Promise.all(engines.map(({ url }) => send(url, request, index)))
      if (KNOWN_DIFFERENCES[`${story}: ${name}`]) expect(stable(local)).not.toEqual(stable(real))
      else expect(stable(local)).toEqual(stable(real))
    })
  })
})
