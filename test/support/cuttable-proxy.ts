import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of `url` whose line can be cut and mended: an engine that is away. */
export async function startCuttableProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cut,
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      cut()
      await once(server.close(), 'close')
    },
  }
}
