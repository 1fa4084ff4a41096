import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine, ENGINE_START_MS, uniqueName } from '../support/engines.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { startSluice, type Sluice } from '../support/start-sluice.ts'

const BIG = '103195600828599841'

eachEngine((engine) => {
  const index = uniqueName('books')
  const workspace = makeWorkspace({
    'pipelines/books.yaml': `
routes:
  - path: /shelf/_declarative
    method: POST
    classify: { category: declarative, acl: search }
stages:
  - use: authorization
  - id: onShelf
    script: |
      function handleRequest() {
        const body = JSON.parse(context.request.body)
        for (const query of body.query) query.index = '${index}'
        return { request: { body: JSON.stringify(body) } }
      }
    continueOnError: false
  - use: replaceWords
    inputs: { data: { tome: book } }
  - use: declarativeQuery
    continueOnError: false
  - use: searchEngineQuery
    continueOnError: false
`,
  })
  let sluice: Sluice

  /** Sends the same to the gateway and to the engine; gives both answers. */
  async function both(method: string, path: string, body?: string) {
    const headers = {
      ...(body !== undefined && {
        'content-type':
          path.includes('bulk') || path.includes('msearch')
            ? 'application/x-ndjson'
            : 'application/json',
      }),
    }
    const ask = async (base: string, more: Record<string, string>) => {
      const reply = await fetch(base + path, {
        method,
        headers: { ...headers, ...more },
        ...(body !== undefined && { body }),
      })
      return {
        status: reply.status,
        type: reply.headers.get('content-type'),
        text: await reply.text(),
      }
    }
    return {
      through: await ask(sluice.gateway, { authorization: sluice.authorization }),
      direct: await ask(engine().url, {}),
    }
  }
  const withoutTimes = (text: string) => text.replaceAll(/"took":\d+/g, '"took":0')
  const through = async (method: string, path: string, body?: string) => {
    const reply = await fetch(sluice.gateway + path, {
      method,
      headers: {
        authorization: sluice.authorization,
        'content-type': path.includes('bulk') ? 'application/x-ndjson' : 'application/json',
      },
      ...(body !== undefined && { body }),
    })
    return { status: reply.status, headers: reply.headers, body: await reply.text() }
  }

  beforeAll(async () => {
    sluice = await startSluice(['--engine', engine().url, '--workspace', workspace.dir])
    const mapping =
      '{"mappings":{"properties":{"title":{"type":"text"},"year":{"type":"integer"},"isbn":{"type":"long"}}}}'
    expect((await through('PUT', `/${index}`, mapping)).status).toBe(200)
    const lines = [
      'A book of stars',
      'The second book',
      'Stars and other books',
      'Nothing here',
    ].flatMap((title, at) => [
      JSON.stringify({ index: { _id: String(at + 1) } }),
      `{"title":${JSON.stringify(title)},"year":${2000 + at},"isbn":${BIG}}`,
    ])
    const bulk = await through('POST', `/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`)
    expect(JSON.parse(bulk.body)).toMatchObject({ errors: false })
  }, ENGINE_START_MS)
  afterAll(async () => {
    await through('DELETE', `/${index}`)
    await sluice.stop()
    workspace[Symbol.dispose]()
  })

  test.each<[method: string, path: string, body?: string]>([
    ['GET', '/_doc/1'],
    ['GET', '/_doc/none'],
    ['GET', '/_search?size=1&sort=year:desc'],
    [
      'POST',
      '/_search',
      '{"query":{"match":{"title":"stars"}},"aggs":{"years":{"stats":{"field":"year"}}}}',
    ],
    ['POST', '/_search', '{"query":{"matsch":{}}}'],
    [
      'POST',
      '/_msearch',
      '{}\n{"query":{"match_all":{}},"size":1}\n{}\n{"query":{"term":{"year":2001}}}\n',
    ],
    ['POST', '/_mget', '{"ids":["1","9"]}'],
    ['GET', '/_count'],
    ['GET', '/_mapping'],
    ['PUT', '', '{}'],
  ])('%s /index%s through the gateway is what the engine answers', async (method, path, body) => {
    const { through, direct } = await both(method, `/${index}${path}`, body)
    expect({ ...through, text: withoutTimes(through.text) }).toEqual({
      ...direct,
      text: withoutTimes(direct.text),
    })
  })

  test('HEAD tells whether a document exists', async () => {
    expect((await through('HEAD', `/${index}/_doc/1`)).status).toBe(200)
    expect((await through('HEAD', `/${index}/_doc/none`)).status).toBe(404)
  })

  test('the built-in declarative route searches an index, its digits kept', async () => {
    const query = '{"query":[{"id":"found","dataField":["title"],"value":"stars"}]}'
    const { status, body } = await through('POST', `/${index}/_declarative`, query)
    expect(status).toBe(200)
    const answer = JSON.parse(body) as { found: { hits: { hits: { _id: string }[] } } }
    expect(answer.found.hits.hits.map(({ _id }) => _id).toSorted()).toEqual(['1', '3'])
    expect(body).toContain(`"isbn":${BIG}`)
  })

  test('the reference name of the route works, too, and wrong credentials are refused', async () => {
    const query = '{"query":[{"id":"q","dataField":["title"],"value":"second"}]}'
    const { body } = await through('POST', `/${index}/_reactivesearch.v3`, query)
    expect(JSON.parse(body)).toMatchObject({ q: { hits: { total: { value: 1 } } } })
    const reply = await fetch(`${sluice.gateway}/${index}/_declarative`, {
      method: 'POST',
      body: query,
    })
    expect(reply.status).toBe(401)
  })

  test('validate answers with the engine query and runs nothing', async () => {
    const query = '{"query":[{"id":"q","dataField":["title"],"value":"second"}]}'
    const { status, body } = await through('POST', `/${index}/_declarative/validate`, query)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject([
      {
        id: 'q',
        endpoint: { url: `/${index}/_search`, method: 'POST', body: { query: { bool: {} } } },
      },
    ])
    const open = await fetch(`${sluice.gateway}/_declarative/validate`, {
      method: 'POST',
      body: query,
    })
    expect(open.status).toBe(200)
  })

  test('a pipeline with a script changes the query before it runs', async () => {
    const query = '{"query":[{"id":"q","dataField":["title"],"value":"tome"}]}'
    const { status, headers, body } = await through('POST', '/shelf/_declarative', query)
    expect([status, headers.get('x-sluice-pipeline')]).toEqual([200, 'books'])
    const answer = JSON.parse(body) as { q: { hits: { hits: { _id: string }[] } } }
    expect(answer.q.hits.hits.map(({ _id }) => _id).toSorted()).toEqual(['1', '2', '3'])
  })
})
