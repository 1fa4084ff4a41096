import type { StopSignal } from '../stop-signal.ts'
import { Ask } from './ask.ts'
import type { EngineConnection } from './connection.ts'

export type { EngineConnection }

/** A request to the connected engine; `path` holds the query string, too. */
export interface EngineRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** The engine's answer, decoded to text. Header names are in lower case. */
export interface EngineAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Sends one request to the engine. An answer of any status is an answer, not an error.
 * @throws {GatewayError} ENGINE_UNREACHABLE, ENGINE_TIMEOUT or ENGINE_PROTOCOL when there is none.
 */
export const askEngine = (
  connection: EngineConnection,
  { method, path, headers = {}, body }: EngineRequest,
  signal?: StopSignal,
): Promise<EngineAnswer> =>
  new Promise((resolve, reject) => {
    const ask = new Ask({ resolve, reject, url: connection.url, signal })
    if (signal?.aborted) return ask.fail(signal.reason)
    try {
      connection.pool.dispatch(
        {
          method,
          path: connection.pathPrefix + path,
          headers: connection.authorization
            ? { ...headers, authorization: connection.authorization }
            : headers,
          body: body === undefined || body.length === 0 ? null : body,
        },
        ask,
      )
    } catch (cause) {
      ask.fail(cause)
    }
  })
