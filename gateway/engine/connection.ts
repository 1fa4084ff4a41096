import { Pool } from 'undici'
import { errors } from '../errors.ts'

/** The engine that requests go to now. Replaced as a whole when the user connects another one. */
export interface EngineConnection {
  readonly kind: 'local' | 'remote'
  /** Origin and path prefix without credentials; what people may see. */
  readonly url: string
  /** Prefix of the engine's own path, empty for most. */
  readonly pathPrefix: string
  readonly pool: Pool
  /** Raw `authorization` value sent to the engine, from the user info of its URL. */
  readonly authorization: string | undefined
}

const CONNECT_TIMEOUT_MS = 10_000
/** Long scrolls and forced merges answer late; clients have limits of their own. */
const ANSWER_TIMEOUT_MS = 300_000

/**
 * Opens a pool to an engine. Nothing is sent yet.
 * @throws {GatewayError} REQUEST_INVALID when the text is no http(s) address.
 */
export function openConnection(kind: 'local' | 'remote', text: string): EngineConnection {
  const { url, authorization } = splitCredentials(text)
  const pool = new Pool(url.origin, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connections: 256,
  })
  const pathPrefix = url.pathname.replace(/\/+$/, '')
  return { kind, url: url.origin + pathPrefix, pathPrefix, pool, authorization }
}

/** Takes user and password out of an address, so that the rest can be shown and logged. */
export function splitCredentials(text: string) {
  let url: URL
  try {
    url = new URL(text)
  } catch (cause) {
    throw errors.requestInvalid(
      `"${text.replace(/\/\/.*@/, '//')}" is no address; write it like https://search.example.com:9200`,
      { cause },
    )
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw errors.requestInvalid(
      `An engine is reached over http or https, not "${url.protocol}"; change the address`,
    )
  const { username, password } = url
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization =
    username || password ? `Basic ${Buffer.from(pair).toString('base64')}` : undefined
  return { url, authorization }
}
