import { request } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEngine, type Answer, type TestEngine } from './engine.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await startEngine()
  await engine.send('PUT', '/a/_doc/1?refresh=true', { k: 'x', n: 1 })
})
afterAll(() => engine[Symbol.asyncDispose]())

interface RawAnswer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

/** With headers that fetch would not send. */
const sendRaw = (path: string, headers: Record<string, string>, body?: Buffer, method = 'POST') =>
  new Promise<RawAnswer>((resolve, reject) => {
    const sent = request(`${engine.url}${path}`, { method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const { statusCode: status, headers } = response
      resolve({ status, headers, bytes: Buffer.concat(chunks) })
    })
    sent.once('error', reject)
    sent.end(body)
  })

test.each([
  ['GET', '/_snapshot', 501, 'endpoint._snapshot'],
  ['POST', '/_ml/anomaly_detectors', 501, 'endpoint._ml'],
  ['GET', '/a/_termvectors/1', 501, 'endpoint._termvectors'],
  ['POST', '/a/_delete_by_query', 501, 'endpoint._delete_by_query'],
  ['PUT', '/a/_alias/x', 501, 'endpoint._alias'],
  ['POST', '/_aliases', 501, 'endpoint._aliases'],
  ['GET', '/a/_search?q=x', 400, 'endpoint-parameter.search.q'],
  ['GET', '/a/_search?scroll=1m', 400, 'endpoint-parameter.search.scroll'],
])('what is not supported is refused by name: %s %s', async (method, path, status, feature) => {
  const { status: got, body } = await engine.send(method, path)
  expect(got).toBe(status)
  expect(body.error).toMatchObject({ type: 'unsupported_feature_exception', feature })
  expect(body.error.reason).toContain('not supported by the local engine')
  expect(body.error.root_cause[0].feature).toBe(feature)
})

test.each([
  [{ query: { percolate: { field: 'q' } } }, 'query.percolate'],
  [
    { query: { bool: { must: [{ nested: { path: 'p', query: { match_all: {} } } }] } } },
    'query.nested',
  ],
  [{ suggest: {} }, 'search.suggest'],
])('queries and search options too: %j', async (search, feature) => {
  const { status, body } = await engine.send('POST', '/a/_search', search)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ type: 'unsupported_feature_exception', feature })
})

test.each([
  [{ mappings: { properties: { g: { type: 'geo_point' } } } }, 'mapping.geo_point'],
  [
    { mappings: { properties: { g: { type: 'keyword', normalizer: 'x' } } } },
    'mapping.parameter.normalizer',
  ],
  [{ mappings: { properties: { g: { type: 'text', analyzer: 'french' } } } }, 'analyzer.french'],
  [{ mappings: { dynamic_templates: [{ a: {} }] } }, 'mapping.dynamic_templates'],
  [{ mappings: { _source: { enabled: false } } }, 'mapping._source'],
  [
    { settings: { analysis: { analyzer: { x: { type: 'custom' } } } } },
    'setting.index.analysis.analyzer.x.type',
  ],
  [{ aliases: { other: {} } }, 'indices.aliases'],
])('mappings and settings too: %j', async (body, feature) => {
  const refused = await engine.send('PUT', '/refused', body)
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({ type: 'unsupported_feature_exception', feature })
  expect((await engine.send('HEAD', '/refused')).status).toBe(404)
})

test('everything the registry lists as not there is refused by that name', async () => {
  const { body } = await engine.send('GET', '/_sluice/local-engine/features')
  const missing = body.features.filter(({ support }: { support: string }) => support === 'none')
  const ask: Record<string, (name: string) => Promise<Answer>> = {
    endpoint: (name) => engine.send('POST', `/${name}`),
    query: (name) => engine.send('POST', '/a/_search', { query: { [name]: {} } }),
    aggregation: (name) => engine.send('POST', '/a/_search', { aggs: { x: { [name]: {} } } }),
    search: (name) => engine.send('POST', '/a/_search', { [name]: {} }),
    'field-type': (type) =>
      engine.send('PUT', '/none', { mappings: { properties: { f: { type } } } }),
    'mapping-parameter': (name) =>
      engine.send('PUT', '/none', {
        mappings: { properties: { f: { type: 'keyword', [name]: true } } },
      }),
  }
  const wrong: string[] = []
  for (const { kind, name } of missing) {
    const answer = await ask[kind]?.(name)
    const error = answer?.body.error
    const status = kind === 'endpoint' ? 501 : 400
    if (answer?.status !== status || !error?.feature?.endsWith(name)) wrong.push(`${kind} ${name}`)
  }
  expect(wrong).toEqual([])
  expect(missing.length).toBeGreaterThan(150)
})

test('scripts of an update are refused', async () => {
  const refused = await engine.send('POST', '/a/_update/1', { script: 'ctx._source.n++' })
  expect(refused.status).toBe(400)
  expect(refused.body.error.feature).toBe('update.script')
})

test.each([
  ['GET', '/a/_nothing', 400, 'no handler found for uri [/a/_nothing] and method [GET]'],
  ['DELETE', '/a/_search', 405, 'allowed: [GET, POST]'],
  ['POST', '/a', 405, 'allowed: [GET, DELETE, HEAD, PUT]'],
])('unknown paths and methods: %s %s', async (method, path, status, sentence) => {
  const { status: got, body, headers } = await engine.send(method, path)
  expect(got).toBe(status)
  expect(body.error).toContain(sentence)
  expect(headers.get('allow') !== null).toBe(status === 405)
})

test.each([
  ['/a/_search?siz=1', 'request [/a/_search] contains unrecognized parameter: [siz]'],
  ['/a/_doc/1?_sourc=k', 'contains unrecognized parameter: [_sourc] -> did you mean [_source]?'],
  ['/a/_search?size=many', 'Failed to parse int parameter [size] with value [many]'],
  ['/a/_doc/1?realtime=maybe', 'Failed to parse value [maybe] as only [true] or [false]'],
])('parameters are checked: %s', async (path, sentence) => {
  const { status, body } = await engine.send('GET', path)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ type: 'illegal_argument_exception' })
  expect(body.error.reason).toContain(sentence)
})

test.each([
  ['host', { host: 'search.example.com' }],
  ['origin', { host: '127.0.0.1', origin: 'https://page.example.com' }],
])('a caller from outside is refused: %s', async (_name, headers) => {
  const { status, bytes } = await sendRaw('/a/_search', headers)
  expect(status).toBe(403)
  expect(JSON.parse(bytes.toString()).error.type).toBe('security_exception')
})

test('a body of another content type is refused', async () => {
  const { status, bytes } = await sendRaw(
    '/a/_doc/9',
    { 'content-type': 'text/plain' },
    Buffer.from('{"a":1}'),
    'PUT',
  )
  expect(status).toBe(406)
  expect(bytes.toString()).toContain('Content-Type header [text/plain] is not supported')
})

test('bodies and answers may be packed', async () => {
  const documents = Array.from({ length: 50 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"k":"word"}\n`)
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }
  const written = await sendRaw(
    '/packed/_bulk?refresh=true',
    { ...headers, 'accept-encoding': 'gzip' },
    gzipSync(documents.join('')),
  )
  expect(written.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(written.bytes).toString())).toMatchObject({ errors: false })
  const broken = await sendRaw('/packed/_bulk', headers, Buffer.from('not packed'))
  expect(broken.status).toBe(400)
})

test('a body beyond the limit is refused', async () => {
  await using small = await startEngine({ limits: { bodyBytes: 1000 } })
  const { status, body } = await small.send('PUT', '/a/_doc/1', { k: 'x'.repeat(2000) })
  expect(status).toBe(413)
  expect(body.error.reason).toContain('larger than [1000] bytes')
})

test('writes are refused when memory is short, reads are not', async () => {
  await using small = await startEngine({ limits: { memoryBytes: 1 } })
  const { status, body } = await small.send('PUT', '/a/_doc/1', { k: 'x' })
  expect(status).toBe(429)
  expect(body.error).toMatchObject({ type: 'circuit_breaking_exception', bytes_limit: 1 })
  expect((await small.send('GET', '/_search')).status).toBe(200)
})

test('answers can be pretty, filtered, and carry the mark of their request', async () => {
  const { text } = await engine.send('GET', '/a/_doc/1?pretty&filter_path=_source.k,_id')
  expect(text).toBe('{\n  "_id" : "1",\n  "_source" : {\n    "k" : "x"\n  }\n}\n')
  const without = await engine.send('GET', '/a/_doc/1?filter_path=-_source,-_s*,-_p*')
  expect(without.body).toEqual({ _index: 'a', _id: '1', _version: 1, found: true })
  const marked = await sendRaw('/a/_count', { 'x-opaque-id': 'mine' }, undefined, 'GET')
  expect(marked.headers['x-opaque-id']).toBe('mine')
})

test('HEAD answers as GET does, without a body', async () => {
  const found = await engine.send('HEAD', '/a/_doc/1')
  expect([found.status, found.text]).toEqual([200, ''])
  expect((await engine.send('HEAD', '/a/_doc/2')).status).toBe(404)
  expect((await engine.send('HEAD', '/nope')).status).toBe(404)
  expect((await engine.send('HEAD', '/a')).status).toBe(200)
})

test('the list of features names what is there and what is not', async () => {
  const { body } = await engine.send('GET', '/_sluice/local-engine/features')
  const support = (kind: string, name: string) =>
    body.features.find(
      (one: { kind: string; name: string }) => one.kind === kind && one.name === name,
    )?.support
  expect(support('query', 'match')).toBe('full')
  expect(support('query', 'percolate')).toBe('none')
  expect(support('endpoint', 'bulk')).toBe('partial')
  expect(support('endpoint', '_snapshot')).toBe('none')
  expect(support('field-type', 'geo_point')).toBe('none')
})

test('the profile of the data directory decides headers and shapes', async () => {
  await using legacy = await startEngine({ profile: 'legacy' })
  const about = await legacy.send('GET', '/')
  expect(about.headers.get('x-elastic-product')).toBe('Elasticsearch')
  expect(about.body.version).toMatchObject({ number: '7.10.2', build_flavor: 'default' })
  const written = await legacy.send('PUT', '/a/_doc/1', { a: 1 })
  expect(written.body._type).toBe('_doc')
  const other = await engine.send('GET', '/')
  expect(other.headers.get('x-elastic-product')).toBeNull()
  expect(other.body.version).toMatchObject({ distribution: 'opensearch', number: '3.8.0' })
})

test('there are no aliases, and whoever asks is told so', async () => {
  expect((await engine.send('GET', '/a/_alias')).body).toEqual({ a: { aliases: {} } })
  expect((await engine.send('GET', '/a/_alias/*')).body).toEqual({})
  expect((await engine.send('GET', '/_alias/x,*,b')).body).toEqual({
    error: 'aliases [b,x] missing',
    status: 404,
  })
  expect((await engine.send('GET', '/nowhere/_alias')).status).toBe(404)
})
