import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors } from '../errors.ts'

/**
 * Starts listening on loopback and tells the port.
 * @throws {GatewayError} PORT_IN_USE naming the port and the flag that changes it.
 */
export function listen(server: Server, port: number, flag: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (problem: NodeJS.ErrnoException) =>
      reject(
        problem.code === 'EADDRINUSE'
          ? errors.portInUse(
              `Port ${port} is in use by another program; stop it or choose a port with ${flag}`,
            )
          : problem,
      ),
    )
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

const DRAIN_MS = 10_000

/** Stops accepting, lets running requests finish for a while, then closes what is left. */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const hard = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    // A connection kept alive becomes idle only when its last answer is out.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    server.close(() => {
      clearTimeout(hard)
      clearInterval(idle)
      resolve()
    })
  })
}
