import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { ErrorBody } from '../contract/error-body.ts'
import { errors, GatewayError } from '../errors.ts'
import { log } from './log.ts'

/** Any failure as one of ours; what is not ours is a bug and tells no details on the wire. */
export function toGatewayError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause
  log.error('bug', { stack: cause instanceof Error ? cause.stack : String(cause) })
  return errors.internal('Sluice failed to answer; its log has the details', { cause })
}

/** The one error body of everything that is not the engine's. */
export const toErrorBody = ({
  status,
  code,
  message,
  stageId,
  source,
  diagnostics,
}: GatewayError): ErrorBody => ({
  error: {
    code: status,
    status: STATUS_CODES[status] ?? 'Error',
    message,
    type: code,
    ...(stageId !== undefined && { stageId }),
    ...(source && { source }),
    ...(diagnostics && { diagnostics: [...diagnostics] }),
  },
})

/**
 * Answers with the error body. Does nothing when the head of an answer is already out. A 401 asks
 * for a password unless `challenge` is false: pages would be held up by a browser's own prompt.
 */
export function sendError(
  response: ServerResponse,
  cause: unknown,
  { challenge = true }: { challenge?: boolean } = {},
) {
  if (response.headersSent || response.destroyed) return
  const error = toGatewayError(cause)
  const body = JSON.stringify(toErrorBody(error))
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(body))
  if (error.status === 401 && challenge)
    response.setHeader('www-authenticate', 'Basic realm="Sluice", charset="UTF-8"')
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('retry-after', error.retryAfterSeconds)
  response.writeHead(error.status)
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
