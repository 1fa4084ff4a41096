import { createServer } from 'node:http'
import { announce } from '../processes.ts'

/** As many functions as asked for, each adding to the answer. */
const stages = Array.from(
  { length: Number(process.argv[2]) },
  (_, at) => (body: string) => `${body}${at},`,
)

const server = createServer(async (request, response) => {
  let read = ''
  for await (const chunk of request.setEncoding('utf8')) read += chunk
  let body = ''
  for (const stage of stages) body = stage(body)
  response.writeHead(read === '' ? 400 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => announce(server))
