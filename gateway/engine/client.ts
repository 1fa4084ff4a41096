import type { EngineConnection } from './connection.ts'

export type { EngineConnection }
import { translateFailure } from './failures.ts'

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
export async function askEngine(
  connection: EngineConnection,
  { method, path, headers = {}, body }: EngineRequest,
  signal?: AbortSignal,
): Promise<EngineAnswer> {
  try {
    const answer = await connection.pool.request({
      method,
      path: connection.pathPrefix + path,
      headers: {
        ...headers,
        ...(connection.authorization && { authorization: connection.authorization }),
      },
      body: body === undefined || body.length === 0 ? null : body,
      ...(signal && { signal }),
    })
    return {
      status: answer.statusCode,
      headers: joinHeaders(answer.headers),
      body: await answer.body.text(),
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw translateFailure(cause, connection.url)
  }
}

/** Repeated headers become one value, joined as RFC 9110 5.3 allows. */
export const joinHeaders = (headers: Record<string, string | string[] | undefined>) => {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  return flat
}
