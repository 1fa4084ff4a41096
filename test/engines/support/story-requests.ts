import type { EngineRequest } from './crud-stories.ts'

const send =
  (method: string) =>
  (path: string, body?: unknown): EngineRequest => ({
    method,
    path,
    body,
  })
export const get = send('GET')
export const put = send('PUT')
export const post = send('POST')
export const search = (body: unknown) => post('/INDEX/_search', body)
export const query = (body: unknown) => search({ query: body })
export const match = (more: object) => query({ match: { t: { query: 'red', ...more } } })
export const agg = (body: unknown) => search({ size: 0, aggs: { a: body } })
export const terms = (more: object) => agg({ terms: { field: 'k', ...more } })
export const histogram = (more: object) => agg({ histogram: { field: 'n', interval: 2, ...more } })
export const dates = (more: object) => agg({ date_histogram: { field: 'd', ...more } })
/** Lines of JSON, as `_bulk` and `_msearch` take them; text stands for itself. */
export const lines = (...all: unknown[]) =>
  all.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
export const msearch = (...all: unknown[]) => post('/INDEX/_msearch', lines(...all))
export const bulk = (...all: unknown[]) => post('/INDEX/_bulk', lines(...all))
export const mget = (body: unknown) => post('/INDEX/_mget', body)
export const update = (body: unknown) => post('/INDEX/_update/1', body)

/** A field of each kind. */
export const INDEX = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    properties: {
      t: { type: 'text' },
      k: { type: 'keyword' },
      n: { type: 'integer' },
      d: { type: 'date' },
      b: { type: 'boolean' },
    },
  },
}
/** Lines that index a document for each letter, in this order. */
export const documents = (keys: string) =>
  lines(
    ...Array.from(keys, (k, i) => [
      { index: { _id: String(i + 1) } },
      { t: `red ${k}`, k, n: i + 1, d: `2020-0${1 + (i % 9)}-01`, b: i % 2 === 0 },
    ]).flat(),
  )
export const filled = (keys = 'abbcccd') => [
  put('/INDEX', INDEX),
  post('/INDEX/_bulk?refresh=true', documents(keys)),
]
