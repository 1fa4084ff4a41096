import { createServer } from 'node:http'
import { Pool } from 'undici'
import { announce } from '../processes.ts'

/** The smallest proxy one can write with Node's server and undici: no authentication, no checks. */
const upstream = new Pool(process.argv[2] ?? '', { connections: 64 })

const server = createServer((request, response) => {
  upstream.dispatch(
    {
      path: request.url ?? '/',
      method: request.method as 'GET', // undici knows the same methods as Node
      headers: request.headers,
      body: request.method === 'GET' ? null : request,
    },
    {
      onRequestStart() {},
      onResponseStart(_controller, code, headers) {
        response.writeHead(code, headers)
      },
      onResponseData(controller, chunk) {
        if (response.write(chunk)) return
        controller.pause()
        response.once('drain', () => controller.resume())
      },
      onResponseEnd() {
        response.end()
      },
      onResponseError() {
        response.destroy()
      },
    },
  )
})
server.listen(0, '127.0.0.1', () => announce(server))
