import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Profile } from '../config.ts'
import { unsupported } from '../errors.ts'
import { writeJson } from '../json/write.ts'
import { filterPath } from './filter-path.ts'
import type { Reply } from './reply.ts'

const zip = promisify(gzip)
/** Smaller answers are not worth packing. */
const PACK_BYTES = 1024

const isOn = (value: string | undefined) => value !== undefined && value !== 'false'

/** The bytes of an answer and their content type. */
function render({ body, text, status }: Reply, query: ReadonlyMap<string, string>) {
  if (text !== undefined) return { bytes: Buffer.from(text), type: 'text/plain; charset=UTF-8' }
  const format = query.get('format')
  if (format !== undefined && format !== 'json' && status < 400)
    throw unsupported(`format.${format}`, `format [${format}]`)
  const filter = query.get('filter_path')
  const shown = filter === undefined || filter === '' ? body : filterPath(body, filter)
  return {
    bytes: writeJson(shown, isOn(query.get('pretty'))),
    type: 'application/json; charset=UTF-8',
  }
}

/** Sends an answer as the request wants it: pretty, filtered, packed; HEAD without its body. */
export async function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { query, profile }: { query: ReadonlyMap<string, string>; profile: Profile },
): Promise<void> {
  const { bytes, type } = render(reply, query)
  response.statusCode = reply.status
  response.setHeader('content-type', type)
  if (profile.distribution)
    response.setHeader('X-OpenSearch-Version', `OpenSearch/${profile.number} (opensearch)`)
  if (profile.productHeader) response.setHeader('X-Elastic-Product', profile.productHeader)
  const opaque = message.headers['x-opaque-id']
  if (opaque !== undefined) response.setHeader('X-Opaque-Id', opaque)
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  const wantsPacked = /\bgzip\b/.test(message.headers['accept-encoding'] ?? '')
  const isPacked = wantsPacked && bytes.length >= PACK_BYTES
  const sent = isPacked ? await zip(bytes, { level: 3 }) : bytes
  if (isPacked) response.setHeader('content-encoding', 'gzip')
  response.setHeader('content-length', sent.length)
  response.end(message.method === 'HEAD' ? undefined : sent)
}
