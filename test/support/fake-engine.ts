import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the engine saw it. */
export interface SeenRequest {
  method: string
  url: string
  rawHeaders: string[]
  body: string
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A real HTTP server in the place of the engine, for answers that no engine can be made to give. */
export async function startFakeEngine(answer: Answer) {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    if (request.url === '/' && request.method === 'GET') {
      response.end('{"version":{"distribution":"opensearch","number":"3.8.0"}}')
      return
    }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      const { method = '', url = '', rawHeaders } = request
      seen.push({ method, url, rawHeaders, body })
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    server,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
