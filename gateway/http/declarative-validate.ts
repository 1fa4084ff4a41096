import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../access/credentials.ts'
import { parseRequest } from '../declarative/parse-request.ts'
import { translateRequest } from '../declarative/translate-request.ts'
import { validateAnswer } from '../declarative/validate-answer.ts'
import { unauthorized } from './gateway-endpoint.ts'
import { readBody } from './read-body.ts'

const PATH = /^\/(?:([^/]+)\/)?_(?:declarative|reactivesearch(?:\.v3)?)\/validate$/

interface Services {
  verify(authorization: string | undefined): Principal | null | Promise<Principal | null>
  bodyLimitBytes: number
  /** What was already read of the request, all of it. */
  body?: Buffer
}

/** Whether a request asks for a translation only (decisions.md 31). */
export const isValidateRequest = (request: IncomingMessage) =>
  request.method === 'POST' && PATH.test((request.url ?? '').split('?')[0] ?? '')

/**
 * Answers with the engine queries that a declarative request would become. Open without an index,
 * guarded like the index's own routes with one.
 */
export async function answerValidate(
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
) {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const index = PATH.exec(path)?.[1]
  const { authorization } = request.headers
  if (index !== undefined && !(await services.verify(authorization)))
    throw unauthorized(authorization)
  const bytes = services.body ?? (await readBody(request, services.bodyLimitBytes))
  const preference = new URLSearchParams(query).get('preference')
  const translated = translateRequest(parseRequest(bytes.toString('utf8')), {
    clientIp: request.socket.remoteAddress ?? '',
    ...(preference !== null && { preference }),
  })
  const indices = index === undefined ? [] : decodeURIComponent(index).split(',')
  const text = JSON.stringify(validateAnswer(translated, indices))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
