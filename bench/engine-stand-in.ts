import { createServer } from 'node:http'
import { announce } from './processes.ts'

/** A search answer of about 2.6 kB. */
export const ANSWER = JSON.stringify({
  took: 3,
  timed_out: false,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: {
    total: { value: 1234, relation: 'eq' },
    max_score: 9.1,
    hits: Array.from({ length: 10 }, (_, i) => ({
      _index: 'movies',
      _id: String(i),
      _score: 9.1 - i / 7,
      _source: {
        title: `The movie number ${i}`,
        genres: ['Drama', 'Crime'],
        year: 1990 + i,
        overview: 'A detective and a thief meet in a city that never stops. '.repeat(2),
      },
    })),
  },
})

if (import.meta.main) {
  const body = Buffer.from(ANSWER)
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, headers)
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => announce(server))
}
