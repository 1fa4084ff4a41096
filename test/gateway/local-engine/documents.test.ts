import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEngine, type TestEngine } from './engine.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine[Symbol.asyncDispose]())

test('a document goes through its versions', async () => {
  const written = await engine.send('PUT', '/crud/_doc/1', { t: 'a' })
  expect(written.status).toBe(201)
  expect(written.headers.get('location')).toBe('/crud/_doc/1')
  expect(written.body).toEqual({
    _index: 'crud',
    _id: '1',
    _version: 1,
    result: 'created',
    _shards: { total: 2, successful: 1, failed: 0 },
    _seq_no: 0,
    _primary_term: 1,
  })
  const again = await engine.send('PUT', '/crud/_doc/1', { t: 'b' })
  expect(again.body).toMatchObject({ _version: 2, result: 'updated', _seq_no: 1 })
  const read = await engine.send('GET', '/crud/_doc/1')
  expect(read.text).toBe(
    '{"_index":"crud","_id":"1","_version":2,"_seq_no":1,"_primary_term":1,"found":true,"_source":{"t":"b"}}',
  )
  const gone = await engine.send('DELETE', '/crud/_doc/1')
  expect(gone.body).toMatchObject({ _version: 3, result: 'deleted' })
  const missing = await engine.send('GET', '/crud/_doc/1')
  expect(missing.status).toBe(404)
  expect(missing.body).toEqual({ _index: 'crud', _id: '1', found: false })
  const twice = await engine.send('DELETE', '/crud/_doc/1')
  expect(twice.status).toBe(404)
  expect(twice.body).toMatchObject({ _version: 4, result: 'not_found' })
  const back = await engine.send('PUT', '/crud/_doc/1', { t: 'c' })
  expect(back.body).toMatchObject({ _version: 5, result: 'created' })
})

test('the source comes back character for character', async () => {
  const source =
    '{ "big": 9223372036854775807,\n  "one": 1.0, "exp":1E3, "text":"\\u00e4ö😀", "deep":{"a":[1.0, 2.50]} }'
  await engine.send('PUT', '/bytes/_doc/1', source)
  expect((await engine.send('GET', '/bytes/_source/1')).text).toBe(source)
  await engine.send('POST', '/bytes/_refresh')
  const found = await engine.send('POST', '/bytes/_search', { query: { ids: { values: ['1'] } } })
  expect(found.text).toContain(`"_source":${source}`)
})

test('an update merges, keeps numbers as they were, and notices when nothing changes', async () => {
  await engine.send('PUT', '/up/_doc/1', '{"a":1.0,"o":{"x":9223372036854775807,"y":1}}')
  const first = await engine.send('POST', '/up/_update/1', { doc: { o: { y: 2 } } })
  expect(first.body).toMatchObject({ result: 'updated', _version: 2 })
  expect((await engine.send('GET', '/up/_source/1')).text).toBe(
    '{"a":1.0,"o":{"x":9223372036854775807,"y":2}}',
  )
  const same = await engine.send('POST', '/up/_update/1', { doc: { o: { y: 2 } } })
  expect(same.body).toMatchObject({
    result: 'noop',
    _version: 2,
    _shards: { total: 0, successful: 0, failed: 0 },
  })
  const forced = await engine.send('POST', '/up/_update/1', {
    doc: { o: { y: 2 } },
    detect_noop: false,
  })
  expect(forced.body).toMatchObject({ result: 'updated', _version: 3 })
})

test('an update of what is missing needs an upsert', async () => {
  await engine.send('PUT', '/ups')
  const missing = await engine.send('POST', '/ups/_update/9', { doc: { a: 1 } })
  expect(missing.status).toBe(404)
  expect(missing.body.error).toMatchObject({
    type: 'document_missing_exception',
    reason: '[9]: document missing',
  })
  const upsert = await engine.send('POST', '/ups/_update/9?_source=true', {
    doc: { a: 1 },
    upsert: { b: 1 },
  })
  expect(upsert.status).toBe(201)
  expect(upsert.body.get._source).toEqual({ b: 1 })
  const own = await engine.send('POST', '/ups/_update/10', { doc: { a: 1 }, doc_as_upsert: true })
  expect(own.body.result).toBe('created')
})

test.each([
  ['/_create/1', 'document already exists (current version [1])'],
  ['/_doc/1?op_type=create', 'document already exists (current version [1])'],
  [
    '/_doc/1?if_seq_no=7&if_primary_term=1',
    'required seqNo [7], primary term [1]. current document has seqNo [0] and primary term [1]',
  ],
  [
    '/_doc/none?if_seq_no=7&if_primary_term=1',
    'required seqNo [7], primary term [1]. but no document was found',
  ],
  [
    '/_doc/1?version=1&version_type=external',
    'current version [1] is higher or equal to the one provided [1]',
  ],
])('conflicts are refused: %s', async (path, reason) => {
  const index = `conflict-${Buffer.from(path).toString('hex').slice(-24)}`
  await engine.send('PUT', `/${index}/_doc/1`, { a: 1 })
  const refused = await engine.send('PUT', `/${index}${path}`, { a: 2 })
  expect(refused.status).toBe(409)
  expect(refused.body.error.type).toBe('version_conflict_engine_exception')
  expect(refused.body.error.reason).toContain(reason)
  expect((await engine.send('GET', `/${index}/_source/1`)).body).toEqual({ a: 1 })
})

test('an external version is taken over', async () => {
  const written = await engine.send('PUT', '/ext/_doc/1?version=40&version_type=external', { a: 1 })
  expect(written.body._version).toBe(40)
  const equal = await engine.send('PUT', '/ext/_doc/1?version=40&version_type=external_gte', {
    a: 2,
  })
  expect(equal.body._version).toBe(40)
})

test('a bulk with failures keeps what is good and says what is not', async () => {
  await engine.send('PUT', '/bulk', { mappings: { properties: { n: { type: 'integer' } } } })
  await engine.send('PUT', '/bulk/_doc/taken', { n: 0 })
  const { status, body } = await engine.send('POST', '/_bulk?refresh=true', [
    { index: { _index: 'bulk', _id: 'a' } },
    { n: 1 },
    { create: { _index: 'bulk', _id: 'taken' } },
    { n: 2 },
    { index: { _index: 'bulk', _id: 'bad' } },
    { n: 'many', unseen: 1 },
    { update: { _index: 'bulk', _id: 'a' } },
    { doc: { n: 5 } },
    { update: { _index: 'bulk', _id: 'nobody' } },
    { doc: { n: 5 } },
    { delete: { _index: 'bulk', _id: 'nobody' } },
    { index: { _index: 'Bulk', _id: 'x' } },
    { n: 1 },
    { index: { _index: 'bulk-other' } },
    { n: 1 },
  ])
  expect(status).toBe(200)
  expect(body.errors).toBe(true)
  const shown = body.items.map(
    (item: Record<string, { status: number; error?: { type: string } }>) =>
      Object.entries(item).map(([action, { status, error }]) => [action, status, error?.type]),
  )
  expect(shown.flat()).toEqual([
    ['index', 201, undefined],
    ['create', 409, 'version_conflict_engine_exception'],
    ['index', 400, 'mapper_parsing_exception'],
    ['update', 200, undefined],
    ['update', 404, 'document_missing_exception'],
    ['delete', 404, undefined],
    ['index', 400, 'invalid_index_name_exception'],
    ['index', 201, undefined],
  ])
  expect(body.items[0].index.forced_refresh).toBe(true)
  // A failed document leaves no trace, not even in the mapping.
  expect((await engine.send('GET', '/bulk/_mapping')).body.bulk.mappings.properties).toEqual({
    n: { type: 'integer' },
  })
  expect((await engine.send('GET', '/bulk,bulk-other/_count')).body.count).toBe(3)
})

test.each([
  ['{"index":{"_index":"b","_id":"1"}}\n{"a":1}', 'must be terminated by a newline'],
  [
    '{"put":{"_index":"b"}}\n{}\n',
    'expected one of [create, delete, index, update] but found [put]',
  ],
  ['{"index":{"_index":"b","_idd":"1"}}\n{}\n', 'unknown parameter [_idd]'],
  ['{"index":{}}\n{}\n', 'Validation Failed: 1: index is missing;'],
  ['{"delete":{"_index":"b"}}\n', 'Validation Failed: 1: id is missing;'],
  ['garbage\n', 'expected a value at line 1, column 1'],
  ['{"index":{"_index":"b"}}\n', 'the line with the document is missing'],
])('a malformed bulk is refused whole: %j', async (body, reason) => {
  const refused = await engine.send('POST', '/_bulk', body)
  expect(refused.status).toBe(400)
  expect(refused.body.error.reason).toContain(reason)
  expect((await engine.send('HEAD', '/b')).status).toBe(404)
})

test('several documents are fetched at once, each with its own error', async () => {
  await engine.send('PUT', '/mget/_doc/1', { a: 1, b: 2 })
  const { body } = await engine.send('POST', '/_mget', {
    docs: [
      { _index: 'mget', _id: '1', _source: ['a'] },
      { _index: 'mget', _id: '2' },
      { _index: 'nowhere', _id: '1' },
    ],
  })
  expect(body.docs[0]._source).toEqual({ a: 1 })
  expect(body.docs[1]).toEqual({ _index: 'mget', _id: '2', found: false })
  expect(body.docs[2].error.type).toBe('index_not_found_exception')
})

test('a write is searchable when its refresh says so', async () => {
  await engine.send('PUT', '/see/_doc/1', { a: 1 })
  expect((await engine.send('GET', '/see/_count')).body.count).toBe(0)
  await engine.send('PUT', '/see/_doc/2?refresh=true', { a: 1 })
  expect((await engine.send('GET', '/see/_count')).body.count).toBe(2)
  await engine.send('PUT', '/see/_doc/3?refresh=wait_for', { a: 1 })
  expect((await engine.send('GET', '/see/_count')).body.count).toBe(3)
  await engine.send('DELETE', '/see/_doc/3?refresh=true')
  expect((await engine.send('GET', '/see/_count')).body.count).toBe(2)
})
