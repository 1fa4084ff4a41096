import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { EngineFailure, failures } from '../errors.ts'

const unzip = promisify(gunzip)

const tooLarge = (limit: number) =>
  failures.bodyTooLarge(
    `the request body is larger than [${limit}] bytes, the most this engine takes: send it in several requests`,
  )

/**
 * The body of a request, unpacked.
 * @throws {EngineFailure} 413 beyond the limit, 400 for a body that cannot be unpacked.
 */
export async function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(message.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    // Safe: without an encoding, request streams give buffers.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(bytes)
  }
  const [only] = chunks
  const body = chunks.length === 1 && only ? only : Buffer.concat(chunks)
  const encoding = message.headers['content-encoding']?.toLowerCase()
  if (body.length === 0 || encoding === undefined || encoding === 'identity') return body
  if (encoding !== 'gzip')
    throw new EngineFailure(
      415,
      'illegal_argument_exception',
      `content-encoding [${encoding}] is not understood: send gzip or none`,
    )
  try {
    return await unzip(body, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit)
    throw failures.illegalArgument('the body says it is gzip, but cannot be unpacked')
  }
}

const MEDIA_TYPE =
  /^application\/(?:json|x-ndjson|vnd\.[a-z]+(?:-[a-z]+)*\+(?:json|x-ndjson))\s*(?:;.*)?$/i

/** Whether a body of this content type is read. */
export const isMediaTypeKnown = (contentType: string): boolean =>
  MEDIA_TYPE.test(contentType.trim())
