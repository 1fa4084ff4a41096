import { request as httpRequest, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { SendRequest, SendResponse } from '../contract/exchange.ts'
import { RUN_HEADER } from '../engine/headers.ts'
import { errors } from '../errors.ts'

const SHOWN_BYTES = 16 * 1024 * 1024

const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** Where and as whom the workbench sends: the gateway's own endpoint, over a real socket. */
interface Target {
  gatewayUrl: string
  /** Added unless the request brings a credential of its own. */
  authorization: string
  /** Proves to the gateway endpoint that the run id comes from us. */
  runSecret: string
  isTraced(runId: string): boolean
}

/**
 * Sends a request of the workbench through the gateway endpoint, as any client would.
 * @throws {GatewayError} REQUEST_INVALID, RUN_TERMINATED when `signal` aborts.
 */
export async function sendThroughGateway(
  { runId, method, path, headers, body }: SendRequest,
  target: Target,
  signal: AbortSignal,
): Promise<SendResponse> {
  const { hostname, port } = new URL(target.gatewayUrl)
  const own = headers.some(([name]) => name.toLowerCase() === 'authorization')
  const flat = headers.flatMap(([name, value]) => [name, value])
  if (!own) flat.push('authorization', target.authorization)
  flat.push('host', `${hostname}:${port}`, RUN_HEADER, `${target.runSecret}.${runId}`)
  if (body !== '') flat.push('content-length', String(Buffer.byteLength(body)))

  const startTime = performance.timeOrigin + performance.now()
  const since = () => performance.timeOrigin + performance.now() - startTime
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    try {
      const outgoing = httpRequest({
        hostname,
        port,
        method,
        path,
        headers: flat,
        signal,
        agent: false,
      })
      outgoing.on('response', resolve)
      outgoing.on('error', (cause) => reject(toError(cause, signal)))
      outgoing.end(body)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      reject(errors.requestInvalid(`This request cannot be sent: ${why}`, { cause }))
    }
  })
  const firstByteMs = since()
  const { bytes, wireBytes } = await collect(answer, signal)
  return {
    runId,
    traced: target.isTraced(runId),
    status: answer.statusCode ?? 0,
    statusText: answer.statusMessage ?? '',
    headers: pairs(answer.rawHeaders),
    ...toText(bytes, answer.headers['content-encoding']),
    wireBytes,
    startTime,
    firstByteMs,
    totalMs: since(),
  }
}

const toError = (cause: Error, signal: AbortSignal) =>
  signal.aborted
    ? errors.runTerminated('Cancelled')
    : errors.callFailed(`The gateway endpoint did not answer (${cause.message})`, { cause })

async function collect(answer: IncomingMessage, signal: AbortSignal) {
  const parts: Buffer[] = []
  let wireBytes = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      if (wireBytes < SHOWN_BYTES) parts.push(part)
      wireBytes += part.length
    }
  } catch (cause) {
    throw toError(cause instanceof Error ? cause : new Error(String(cause)), signal)
  }
  return { bytes: Buffer.concat(parts), wireBytes }
}

function toText(bytes: Buffer, encoding: string | undefined) {
  const decode = decoders[encoding ?? '']
  const plain = decode && bytes.length <= SHOWN_BYTES ? decode(bytes) : bytes
  const shown = plain.subarray(0, SHOWN_BYTES)
  const text = shown.toString('utf8')
  // Replacement characters that were not in the bytes: no text.
  const isText = !text.includes('\uFFFD') || shown.includes(Buffer.from('\uFFFD'))
  return {
    body: isText ? text : shown.toString('base64'),
    encoding: isText ? ('utf8' as const) : ('base64' as const),
    bodyBytes: plain.length,
    bodyCut: plain.length > shown.length || bytes.length > SHOWN_BYTES,
  }
}

const pairs = (raw: readonly string[]) => {
  const list: [string, string][] = []
  for (let i = 0; i < raw.length; i += 2) list.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return list
}
