import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRequest } from '../../gateway/declarative/parse-request.ts'
import { engineItems, toMsearch } from '../../gateway/declarative/to-msearch.ts'
import { translateRequest } from '../../gateway/declarative/translate-request.ts'
import {
  ENGINE_START_MS,
  describeWithOpenSearch,
  startTestLocalEngine,
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
interface EngineError {
  reason: string
  /** Name of what the local engine lacks. */
  feature?: string
}
interface Msearch {
  error?: EngineError
  responses?: { error?: EngineError }[]
}
interface Mapping {
  type?: string
  properties?: Record<string, Mapping>
  fields?: Record<string, Mapping>
}

// Safe: the files are ours.
const cases = fixture('cases.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
const refused = new Set(
  Object.values(JSON.parse(fixture('refused.json')) as Record<string, string[]>).flat(),
)
const catalog = JSON.parse(fixture('catalog.mapping.json')) as { mappings: Mapping }
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
    error: error ?? responses?.[position]?.error,
  }))
}

const translatable = cases.filter(({ status }) => status === 200)

/** Asks with all recorded requests, a few at a time: a real engine has just been started. */
async function askAll(url: string) {
  const answers = []
  for (let at = 0; at < translatable.length; at += 8)
    answers.push(...(await Promise.all(translatable.slice(at, at + 8).map((one) => ask(url, one)))))
  return answers.flat()
}

async function load(url: string, mapping: object) {
  for (const index of Object.values(names)) {
    const created = await send(url, 'PUT', `/${index}`, JSON.stringify(mapping))
    expect(created, created.text).toMatchObject({ status: 200 })
    const lines = documents.flatMap(({ _id, _source }) => [{ index: { _id } }, _source])
    const bulk = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await send(url, 'POST', `/${index}/_bulk?refresh=true`, bulk)
  }
}

const removeAll = async (url: string) => {
  for (const index of Object.values(names)) await send(url, 'DELETE', `/${index}`)
}

describeWithOpenSearch('recorded declarative requests', () => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await useOpenSearch()
    await load(engine.url, catalog)
  }, ENGINE_START_MS)
  afterAll(() => removeAll(engine.url))

  test(
    'a real engine takes what they become, except for the known mistakes in them',
    async () => {
      const answers = await askAll(engine.url)
      const wrong = answers.filter(({ error }) => error !== undefined)
      expect(wrong.map(({ query }) => query).toSorted()).toEqual([...refused].toSorted())
      expect(answers.length - wrong.length).toBeGreaterThan(600)
    },
    ENGINE_START_MS,
  )
})

/** What the local engine may say it has not; a request that needs none of these is answered. */
const MISSING = new Set([
  'aggregation.composite',
  'aggregation.nested',
  'query.function_score',
  'query.geo_bounding_box',
  'query.geo_distance',
  'query.nested',
  'query.query_string',
  'query.rank_feature',
  'query.script_score',
  'query.simple_query_string',
  'search.collapse',
  'search.highlight',
])

describe('recorded declarative requests on the local engine', () => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await startTestLocalEngine()
    await load(engine.url, { mappings: { dynamic: false, properties: plain(catalog.mappings) } })
  }, ENGINE_START_MS)
  afterAll(() => engine.stop())

  test('are answered, or refused by the name of what is missing', async () => {
    const answers = await askAll(engine.url)
    const wrong = answers.filter(({ error }) => error !== undefined)
    const unexplained = wrong.filter(
      ({ query, error }) => !MISSING.has(error?.feature ?? '') && !refused.has(query),
    )
    expect(unexplained).toEqual([])
    expect(answers.length - wrong.length).toBeGreaterThanOrEqual(443)
  })
})

/** The fields whose type the local engine has, with its own analysis. */
function plain({ properties = {} }: Mapping): Record<string, Mapping> {
  const types = new Set(['text', 'keyword', 'integer', 'float', 'date', undefined])
  const known = Object.entries(properties).filter(([, { type }]) => types.has(type))
  return Object.fromEntries(
    known.map(([name, { type, properties: inner, fields }]) => [
      name,
      {
        ...(type && { type }),
        ...(inner && { properties: plain({ properties: inner }) }),
        ...(fields && { fields: plain({ properties: fields }) }),
      },
    ]),
  )
}
