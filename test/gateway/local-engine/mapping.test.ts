import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEngine, type TestEngine } from './engine.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine[Symbol.asyncDispose]())

const mappingOf = async (index: string) =>
  (await engine.send('GET', `/${index}/_mapping`)).body[index].mappings

test('unknown fields are mapped by their first value', async () => {
  await engine.send('PUT', '/dyn/_doc/1', {
    text: 'words',
    whole: 5,
    part: 1.5,
    flag: true,
    day: '2024-03-05',
    slashes: '2024/03/05',
    digits: '20240305',
    object: { inner: 'x', empty: {} },
    list: [{ a: 1 }, { a: 2 }],
    nothing: null,
    none: [],
    'dotted.name': 1,
  })
  const text = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }
  expect(await mappingOf('dyn')).toEqual({
    properties: {
      day: { type: 'date' },
      digits: text,
      dotted: { properties: { name: { type: 'long' } } },
      flag: { type: 'boolean' },
      list: { properties: { a: { type: 'long' } } },
      object: { properties: { empty: { type: 'object' }, inner: text } },
      part: { type: 'float' },
      slashes: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' },
      text,
      whole: { type: 'long' },
    },
  })
})

test('a number that is written as a float makes a float field', async () => {
  await engine.send('PUT', '/dynfloat/_doc/1', '{"a":1.0}')
  expect(await mappingOf('dynfloat')).toEqual({ properties: { a: { type: 'float' } } })
})

test('dynamic false keeps the field in the source only, strict refuses it', async () => {
  await engine.send('PUT', '/loose', {
    mappings: { dynamic: false, properties: { a: { type: 'keyword' } } },
  })
  await engine.send('PUT', '/loose/_doc/1?refresh=true', { a: 'x', b: 'y' })
  expect(Object.keys((await mappingOf('loose')).properties)).toEqual(['a'])
  expect((await engine.send('GET', '/loose/_source/1')).body).toEqual({ a: 'x', b: 'y' })
  const found = await engine.send('POST', '/loose/_search', { query: { term: { b: 'y' } } })
  expect(found.body.hits.total.value).toBe(0)

  await engine.send('PUT', '/strict', {
    mappings: { dynamic: 'strict', properties: { o: { dynamic: true, properties: {} } } },
  })
  const refused = await engine.send('PUT', '/strict/_doc/1', { b: 1 })
  expect(refused.body.error).toMatchObject({
    type: 'strict_dynamic_mapping_exception',
    reason: 'mapping set to strict, dynamic introduction of [b] within [_doc] is not allowed',
  })
  expect((await engine.send('PUT', '/strict/_doc/1', { o: { b: 1 } })).status).toBe(201)
})

test('a mapping grows and never changes', async () => {
  await engine.send('PUT', '/grow', {
    mappings: {
      properties: { n: { type: 'integer' }, t: { type: 'text' }, o: { properties: {} } },
    },
  })
  const put = (properties: object) => engine.send('PUT', '/grow/_mapping', { properties })
  expect(
    (await put({ m: { type: 'long' }, t: { type: 'text', fields: { raw: { type: 'keyword' } } } }))
      .status,
  ).toBe(200)
  const reasons = []
  for (const properties of [
    { n: { type: 'long' } },
    { t: { type: 'text', analyzer: 'english' } },
    { o: { type: 'keyword' } },
    { n: { properties: {} } },
  ])
    reasons.push((await put(properties)).body.error.reason)
  expect(reasons).toEqual([
    'mapper [n] cannot be changed from type [integer] to [long]',
    'Mapper for [t] conflicts with existing mapper:\n\tCannot update parameter [analyzer] from [default] to [english]',
    "can't merge a non object mapping [o] with an object mapping",
    "can't merge a non object mapping [n] with an object mapping",
  ])
  expect(Object.keys((await mappingOf('grow')).properties)).toEqual(['m', 'n', 'o', 't'])
})

test.each([
  ['integer', '"abc"', 'For input string: "abc"'],
  ['integer', '99999999999', 'Numeric value (99999999999) out of range of `int`'],
  ['long', '9223372036854775808', 'out of range of `long`'],
  ['byte', '-129', 'out of range for a byte'],
  ['half_float', '70000', '[half_float] supports only finite values'],
  ['boolean', '"yes"', 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
  ['date', '"soon"', 'failed to parse date field [soon] with format'],
  ['keyword', '{"a":1}', 'cannot hold an object'],
  ['long', 'true', 'not numeric'],
])('a value that does not fit is refused: %s %s', async (type, value, cause) => {
  const index = `fit-${type.replace('_', '-')}`
  await engine.send('PUT', `/${index}`, { mappings: { properties: { f: { type } } } })
  const { status, body } = await engine.send('PUT', `/${index}/_doc/1`, `{"f":${value}}`)
  expect(status).toBe(400)
  expect(body.error.type).toBe('mapper_parsing_exception')
  expect(body.error.reason).toContain(
    `failed to parse field [f] of type [${type}] in document with id '1'. Preview of field's value:`,
  )
  expect(body.error.caused_by.reason).toContain(cause)
})

test('parameters of fields take effect', async () => {
  await engine.send('PUT', '/params', {
    mappings: {
      properties: {
        coerced: { type: 'integer' },
        careless: { type: 'integer', ignore_malformed: true },
        short: { type: 'keyword', ignore_above: 3 },
        filled: { type: 'keyword', null_value: 'NONE' },
        all: { type: 'text' },
        from: { type: 'keyword', copy_to: 'all' },
        both: { type: 'text', fields: { raw: { type: 'keyword' } } },
        hidden: { type: 'object', enabled: false },
      },
    },
  })
  const written = await engine.send('PUT', '/params/_doc/1?refresh=true', {
    coerced: ' 7.9 ',
    careless: 'x',
    short: ['abc', 'abcd'],
    filled: null,
    from: 'copied words',
    both: 'Two Words',
    hidden: { a: [1, 'x', {}] },
  })
  expect(written.status).toBe(201)
  const matches = async (query: object) =>
    (await engine.send('POST', '/params/_count', { query })).body.count
  expect(await matches({ term: { coerced: 7 } })).toBe(1)
  expect(await matches({ exists: { field: 'careless' } })).toBe(0)
  expect(await matches({ term: { short: 'abc' } })).toBe(1)
  expect(await matches({ term: { short: 'abcd' } })).toBe(0)
  expect(await matches({ term: { filled: 'NONE' } })).toBe(1)
  expect(await matches({ match: { all: 'words' } })).toBe(1)
  expect(await matches({ term: { 'both.raw': 'Two Words' } })).toBe(1)
  expect(await matches({ exists: { field: 'hidden.a' } })).toBe(0)
})

test('integers beyond 2^53 are exact in source, term, range and sort', async () => {
  const ids = ['9007199254740993', '9007199254740992', '9007199254740994', '-9223372036854775808']
  await engine.send('PUT', '/big', { mappings: { properties: { n: { type: 'long' } } } })
  for (const [i, n] of ids.entries()) await engine.send('PUT', `/big/_doc/${i}`, `{"n":${n}}`)
  await engine.send('POST', '/big/_refresh')
  const search = async (body: string) => (await engine.send('POST', '/big/_search', body)).text
  const values = (text: string) =>
    [...text.matchAll(/"_source":\{"n":(-?\d+)\}/g)].map(([, n]) => n)
  expect(values(await search('{"query":{"term":{"n":9007199254740993}}}'))).toEqual([ids[0]])
  expect(values(await search('{"query":{"range":{"n":{"gt":9007199254740992}}}}'))).toEqual([
    '9007199254740993',
    '9007199254740994',
  ])
  const sorted = await search('{"sort":[{"n":"asc"}]}')
  expect(values(sorted)).toEqual([
    '-9223372036854775808',
    '9007199254740992',
    '9007199254740993',
    '9007199254740994',
  ])
  expect(sorted).toContain('"sort":[9007199254740993]')
})

test('settings that may change take effect at once and stay', async () => {
  await engine.send('PUT', '/set', { settings: { refresh_interval: -1, number_of_replicas: 2 } })
  await engine.send('PUT', '/set/_doc/1', { a: 1 })
  const put = (settings: object) => engine.send('PUT', '/set/_settings', settings)
  expect((await put({ index: { refresh_interval: '20ms', max_result_window: 5 } })).body).toEqual({
    acknowledged: true,
  })
  await engine.send('PUT', '/set/_doc/2?refresh=wait_for', { a: 1 })
  const refused = await engine.send('POST', '/set/_search', { size: 6 })
  expect(refused.body.error.root_cause[0].reason).toContain('less than or equal to: [5]')
  const fixed = await put({ 'index.number_of_shards': 4 })
  expect(fixed.body.error.reason).toContain("Can't update non dynamic settings")
  const { body } = await engine.send('GET', '/set/_settings')
  expect(body.set.settings.index).toMatchObject({
    refresh_interval: '20ms',
    number_of_replicas: '2',
    number_of_shards: '1',
  })
  const unknown = await put({ 'index.nothing': 1 })
  expect(unknown.body.error.type).toBe('settings_exception')
})

test('index expressions: lists, patterns, exclusions, what is not there', async () => {
  for (const name of ['ex-a', 'ex-b', 'ex-c'])
    await engine.send('PUT', `/${name}/_doc/1?refresh=true`, { a: 1 })
  const count = async (path: string) => {
    const { status, body } = await engine.send('GET', path)
    return status === 200 ? body.count : body.error.reason
  }
  expect(await count('/ex-a,ex-c/_count')).toBe(2)
  expect(await count('/ex-*/_count')).toBe(3)
  expect(await count('/ex-*,-ex-b/_count')).toBe(2)
  expect(await count('/ex-a,nope/_count')).toBe('no such index [nope]')
  expect(await count('/ex-a,nope/_count?ignore_unavailable=true')).toBe(1)
  expect(await count('/none*/_count')).toBe(0)
  expect(await count('/none*/_count?allow_no_indices=false')).toBe('no such index [none*]')
})

test('administration answers', async () => {
  await engine.send('PUT', '/admin', { settings: { number_of_shards: 2, number_of_replicas: 0 } })
  await engine.send('PUT', '/admin/_doc/1?refresh=true', { t: 'Hello World' })
  const settings = await engine.send('GET', '/admin/_settings')
  expect(settings.body.admin.settings.index).toMatchObject({
    number_of_shards: '2',
    number_of_replicas: '0',
  })
  const flat = await engine.send('GET', '/admin?flat_settings=true')
  expect(flat.body.admin.settings['index.number_of_shards']).toBe('2')
  const cat = await engine.send('GET', '/_cat/indices/admin?format=json')
  expect(cat.body[0]).toMatchObject({
    health: 'green',
    index: 'admin',
    pri: '2',
    'docs.count': '1',
  })
  const table = await engine.send('GET', '/_cat/indices/admin?v&h=index,docs.count')
  expect(table.text).toBe('index docs.count\nadmin          1\n')
  expect((await engine.send('GET', '/_cat/count/admin?h=count')).text).toBe('1\n')
  expect((await engine.send('GET', '/_cat/health?h=status')).text).toMatch(/^(green|yellow)\n$/)
  const health = await engine.send('GET', '/_cluster/health/admin')
  expect(health.body).toMatchObject({ status: 'green', active_primary_shards: 2 })
  const tokens = await engine.send('POST', '/admin/_analyze', { field: 't', text: 'Hello World' })
  expect(tokens.body.tokens.map(({ token }: { token: string }) => token)).toEqual([
    'hello',
    'world',
  ])
  const valid = await engine.send('POST', '/admin/_validate/query', {
    query: { match: { t: 'x' } },
  })
  expect(valid.body.valid).toBe(true)
  const invalid = await engine.send('POST', '/admin/_validate/query', { query: { nope: {} } })
  expect(invalid.body.valid).toBe(false)
  expect((await engine.send('GET', '/admin/_stats')).body._all.primaries.docs.count).toBe(1)
  expect((await engine.send('PUT', '/admin')).body.error.type).toBe(
    'resource_already_exists_exception',
  )
  expect((await engine.send('DELETE', '/admin')).body).toEqual({ acknowledged: true })
  expect((await engine.send('GET', '/admin')).body.error).toMatchObject({
    type: 'index_not_found_exception',
    'resource.id': 'admin',
    index_uuid: '_na_',
  })
})

test('several searches at once: each has its own answer or error', async () => {
  await engine.send('PUT', '/ms/_doc/1?refresh=true', { a: 'x' })
  const { body } = await engine.send('POST', '/_msearch', [
    { index: 'ms', preference: '_local' },
    { query: { match_all: {} }, size: 0 },
    { index: 'nowhere' },
    {},
    { index: 'ms' },
    { query: { percolate: {} } },
  ])
  expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 404, 400])
  expect(body.responses[0].hits.total).toEqual({ value: 1, relation: 'eq' })
  expect(body.responses[2].error.feature).toBe('query.percolate')
})

test('parts of a search may stand in the URL', async () => {
  for (const n of [1, 2, 3]) await engine.send('PUT', `/url/_doc/${n}?refresh=true`, { n, m: n })
  const { body } = await engine.send(
    'GET',
    '/url/_search?size=1&from=1&sort=n:desc&_source=n&rest_total_hits_as_int=true',
  )
  expect(body.hits).toMatchObject({ total: 3, hits: [{ _id: '2', _source: { n: 2 }, sort: [2] }] })
  const fromSource = await engine.send(
    'GET',
    `/url/_search?source=${encodeURIComponent('{"size":0}')}&source_content_type=application/json`,
  )
  expect(fromSource.body.hits.hits).toEqual([])
})

test('fields may have names that every object has', async () => {
  const source =
    '{"constructor":"a","toString":{"__proto__":1,"valueOf":true},"hasOwnProperty":[2]}'
  expect((await engine.send('PUT', '/names/_doc/1?refresh=true', source)).status).toBe(201)
  expect((await engine.send('GET', '/names/_source/1')).text).toBe(source)
  const update = '{"doc":{"toString":{"__proto__":2}}}'
  expect((await engine.send('POST', '/names/_update/1?refresh=true', update)).status).toBe(200)
  expect((await engine.send('GET', '/names/_source/1')).text).toContain('"__proto__":2')
  const found = '{"query":{"term":{"toString.__proto__":2}}}'
  expect((await engine.send('POST', '/names/_count', found)).body.count).toBe(1)
  const parameter = await engine.send('GET', '/names/_count?constructor=1')
  expect(parameter.body.error.reason).toContain('unrecognized parameter: [constructor]')
})
