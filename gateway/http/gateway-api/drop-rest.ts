import type { IncomingMessage } from 'node:http'

const LONGEST_MS = 5_000
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Reads what is left of a request and drops it: a client that is cut off while it writes never gets
 * to see the answer. Gives up after 5 seconds or 256 MB.
 */
export function dropRest(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  const hasBody = (length !== undefined && length !== '0') || encoding !== undefined
  if (!hasBody || request.readableEnded || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let bytes = 0
    const finish = () => {
      clearTimeout(timer)
      request.off('data', count).off('end', finish).off('close', finish)
      resolve()
    }
    const count = (part: Buffer) => {
      bytes += part.length
      if (bytes > MOST_BYTES) finish()
    }
    const timer = setTimeout(finish, LONGEST_MS)
    request.on('data', count).on('end', finish).on('close', finish)
    request.resume()
  })
}
