import type { Dispatcher } from 'undici'
import type { EngineAnswer } from './client.ts'
import type { StopSignal } from '../stop-signal.ts'
import { translateFailure } from './failures.ts'

interface Waiting {
  resolve(answer: EngineAnswer): void
  reject(cause: unknown): void
  /** The engine as messages call it. */
  url: string
  signal: StopSignal | undefined
}

/**
 * Collects one whole answer as text. A class, and no stream of undici's: one is made for every call
 * a pipeline sends, and the stream with its signal costs 10 µs each time.
 */
export class Ask implements Dispatcher.DispatchHandler {
  #waiting: Waiting
  #signal: StopSignal | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: Record<string, string> = {}
  #chunks: Buffer[] = []
  #abort = () => {
    const reason: unknown = this.#signal?.reason
    this.#controller?.abort(reason instanceof Error ? reason : new Error('stopped'))
    this.fail(reason)
  }

  constructor(waiting: Waiting) {
    this.#waiting = waiting
    this.#signal = waiting.signal
    this.#signal?.addEventListener('abort', this.#abort)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller
    if (this.#signal?.aborted) this.#abort()
  }

  onResponseStart(
    _controller: unknown,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ) {
    // Interim answers (100, 103) are for the hop that asked.
    if (status < 200) return
    this.#status = status
    this.#headers = joinHeaders(headers)
  }

  onResponseData(_controller: unknown, chunk: Buffer) {
    this.#chunks.push(chunk)
  }

  onResponseEnd() {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#waiting.resolve({
      status: this.#status,
      headers: this.#headers,
      body: toText(this.#chunks),
    })
  }

  onResponseError(_controller: unknown, cause: Error) {
    this.fail(cause)
  }

  /** The exchange has come to nothing; why the call was stopped counts more than what that broke. */
  fail(cause: unknown) {
    this.#signal?.removeEventListener('abort', this.#abort)
    const { reject, url } = this.#waiting
    reject(this.#signal?.aborted ? this.#signal.reason : translateFailure(cause, url))
  }
}

/** Repeated headers become one value, joined as RFC 9110 5.3 allows. */
export const joinHeaders = (headers: Record<string, string | string[] | undefined>) => {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** UTF-8 without the mark some programs begin it with. */
function toText(chunks: readonly Buffer[]) {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark ? bytes.toString('utf8', 3) : bytes.toString('utf8')
}
