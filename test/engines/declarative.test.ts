import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseRequest } from '../../gateway/declarative/parse-request.ts'
import { engineItems, toMsearch } from '../../gateway/declarative/to-msearch.ts'
import { translateRequest } from '../../gateway/declarative/translate-request.ts'
import {
  ENGINE_START_MS,
  describeWithOpenSearch,
  uniqueName,
  useOpenSearch,
  type TestEngine,
} from '../support/engines.ts'

const fixture = (file: string) =>
  readFileSync(new URL(`../fixtures/declarative-golden/${file}`, import.meta.url), 'utf8')

interface Case {
  name: string
  index: string
  request: object
  status: number
}
interface Msearch {
  error?: { reason: string }
  responses?: { error?: { reason: string } }[]
}

// Safe: the files are ours.
const cases = fixture('cases.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
const refused = Object.values(JSON.parse(fixture('refused.json')) as Record<string, string[]>)
const documents = fixture('catalog.documents.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { _id: string; _source: object })

const names: Record<string, string> = {
  catalog: uniqueName('catalog'),
  outlet: uniqueName('outlet'),
}

async function send(url: string, method: string, path: string, body?: string) {
  const type = /_bulk|_msearch/.test(path) ? 'application/x-ndjson' : 'application/json'
  const answer = await fetch(url + path, { method, body, headers: { 'content-type': type } })
  return { status: answer.status, text: await answer.text() }
}

/** Asks the engine; answers `name id` → why it was refused, undefined when it was not. */
async function ask(url: string, { name, index, request }: Case) {
  const translated = translateRequest(parseRequest(JSON.stringify(request)))
  const items = engineItems(translated).map((item) => ({ ...item, index: names[item.index ?? ''] }))
  if (items.length === 0) return []
  const path = index.split(',').map((one) => names[one])
  const body = toMsearch({ items, warnings: [] })
  const { text } = await send(url, 'POST', `/${path.join(',')}/_msearch`, body)
  const { error, responses } = JSON.parse(text) as Msearch
  return items.map(({ id }, position) => ({
    query: `${name} ${id}`,
    reason: error?.reason ?? responses?.[position]?.error?.reason,
  }))
}

describeWithOpenSearch('recorded declarative requests', () => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await useOpenSearch()
    for (const index of Object.values(names)) {
      await send(engine.url, 'PUT', `/${index}`, fixture('catalog.mapping.json'))
      const lines = documents.flatMap(({ _id, _source }) => [{ index: { _id } }, _source])
      const bulk = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      await send(engine.url, 'POST', `/${index}/_bulk?refresh=true`, bulk)
    }
  }, ENGINE_START_MS)
  afterAll(async () => {
    for (const index of Object.values(names)) await send(engine.url, 'DELETE', `/${index}`)
  })

  test('a real engine takes what they become, except for the known mistakes in them', async () => {
    const answers = []
    for (const one of cases.filter(({ status }) => status === 200))
      answers.push(...(await ask(engine.url, one)))
    const wrong = answers.filter(({ reason }) => reason !== undefined)
    expect(wrong.map(({ query }) => query).toSorted()).toEqual(refused.flat().toSorted())
    expect(answers.length - wrong.length).toBeGreaterThan(600)
  })
})
