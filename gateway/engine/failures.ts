import { errors, type GatewayError } from '../errors.ts'

type Failure = (message: string, details?: { cause?: unknown }) => GatewayError

/** Codes of Node and undici → ours, and what the user is told happened. */
const byCode = new Map<string, [fail: Failure, what: string]>([
  ['ECONNREFUSED', [errors.engineUnreachable, 'refused the connection']],
  ['ECONNRESET', [errors.engineUnreachable, 'closed the connection']],
  ['EPIPE', [errors.engineUnreachable, 'closed the connection']],
  ['ENOTFOUND', [errors.engineUnreachable, 'has a host name that cannot be resolved']],
  ['EAI_AGAIN', [errors.engineUnreachable, 'has a host name that cannot be resolved now']],
  ['EHOSTUNREACH', [errors.engineUnreachable, 'cannot be reached over the network']],
  ['ENETUNREACH', [errors.engineUnreachable, 'cannot be reached over the network']],
  ['ETIMEDOUT', [errors.engineTimeout, 'did not accept the connection in time']],
  ['UND_ERR_SOCKET', [errors.engineUnreachable, 'closed the connection']],
  ['UND_ERR_CONNECT_TIMEOUT', [errors.engineTimeout, 'did not accept the connection in time']],
  ['UND_ERR_HEADERS_TIMEOUT', [errors.engineTimeout, 'did not answer in time']],
  ['UND_ERR_BODY_TIMEOUT', [errors.engineTimeout, 'stopped sending its answer']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', [errors.engineProtocol, 'sent an incomplete answer']],
  ['UND_ERR_HEADERS_OVERFLOW', [errors.engineProtocol, 'sent more headers than are accepted']],
  ['CERT_HAS_EXPIRED', [errors.engineUnreachable, 'presented an expired certificate']],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', [errors.engineUnreachable, 'presented an untrusted certificate']],
  ['SELF_SIGNED_CERT_IN_CHAIN', [errors.engineUnreachable, 'presented an untrusted certificate']],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    [errors.engineUnreachable, 'presented a certificate of another host'],
  ],
])

/**
 * Turns a failed exchange with the engine at `url` into one of our errors. What is not known as a
 * failure of the network is given back as it came: it is a bug of ours.
 */
export function translateFailure(cause: unknown, url: string): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const isNonsense = cause instanceof Error && cause.name === 'HTTPParserError'
  const [fail, what] = isNonsense
    ? ([errors.engineProtocol, 'sent something that is not HTTP'] as const)
    : (byCode.get(code) ?? [])
  return fail ? fail(`The search engine at ${url} ${what} (${code || 'HTTP'})`, { cause }) : cause
}
