import type { IncomingHttpHeaders } from 'node:http'
import { failures } from '../errors.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/**
 * Refuses what a page in a browser could send: a name that only resolves to this machine, or a
 * request from an origin nobody allowed.
 * @throws {EngineFailure} 403
 */
export function checkCaller(
  { host, origin }: IncomingHttpHeaders,
  allowedOrigins: readonly string[],
): void {
  if (host === undefined || !LOOPBACK.test(host))
    throw failures.securityRefused(
      `host [${host ?? ''}] is refused: call the local engine as 127.0.0.1 or localhost`,
    )
  if (origin !== undefined && !allowedOrigins.includes(origin))
    throw failures.securityRefused(
      `origin [${origin}] is refused: pages may call the local engine only when their origin is allowed`,
    )
}
