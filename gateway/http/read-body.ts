import type { IncomingMessage } from 'node:http'
import { errors, type GatewayError } from '../errors.ts'

/** Bytes in what limits and messages call MB. */
export const MEGABYTE = 1_048_576

const tooLargeForPipeline = (limitBytes: number) =>
  errors.bodyTooLarge(
    `The request body is larger than the ${limitBytes / MEGABYTE} MB a pipeline may hold (limits.bodyMb); ` +
      'send less at once, or send it to the engine, where bodies of any size pass through',
  )

/**
 * The whole body as bytes.
 * @throws {GatewayError} BODY_TOO_LARGE as soon as that is known; the rest stays unread.
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  tooLarge: (limitBytes: number) => GatewayError = tooLargeForPipeline,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limitBytes) return Promise.reject(tooLarge(limitBytes))
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > limitBytes) {
        request.removeAllListeners('data')
        reject(tooLarge(limitBytes))
        return
      }
      parts.push(part)
    })
    request.on('end', () => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete)
        reject(errors.runTerminated('The client left before its request was complete'))
    })
  })
}
