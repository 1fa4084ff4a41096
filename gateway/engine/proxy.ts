import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { EngineConnection } from './connection.ts'
import { translateFailure } from './failures.ts'
import { toClientHeaders, toEngineHeaders } from './headers.ts'

/** Answers a client whose request could not be passed on; the answer's head is still unsent. */
type OnFailure = (response: ServerResponse, error: unknown) => void

/**
 * Passes one request to the engine and its answer back, byte for byte and streamed both ways.
 * When the client leaves, the engine's request is aborted. `body` is what was already read of the
 * request, all of it. Never throws.
 */
export function passThrough(
  connection: EngineConnection,
  request: IncomingMessage,
  response: ServerResponse,
  { body, onFailure }: { body?: Buffer | undefined; onFailure: OnFailure },
) {
  const hasBody =
    request.headers['content-length'] !== undefined ||
    request.headers['transfer-encoding'] !== undefined
  // Node adds a date of its own, which the engine did not send.
  response.sendDate = false
  try {
    connection.pool.dispatch(
      {
        path: connection.pathPrefix + (request.url ?? '/'),
        method: request.method as Dispatcher.HttpMethod,
        headers: toEngineHeaders(request.rawHeaders, connection.authorization),
        body: body ?? (hasBody ? request : null),
      },
      new PassThrough(connection.url, request, response, onFailure),
    )
  } catch (cause) {
    onFailure(response, cause)
  }
}

/**
 * A class, unlike the rest of the program: one is made for every request, and closures for six
 * call-backs cost 4 µs each time.
 */
class PassThrough implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined
  #aborted = false
  #url: string
  #request: IncomingMessage
  #response: ServerResponse
  #onFailure: OnFailure

  constructor(
    url: string,
    request: IncomingMessage,
    response: ServerResponse,
    onFailure: OnFailure,
  ) {
    this.#url = url
    this.#request = request
    this.#response = response
    this.#onFailure = onFailure
    response.on('close', () => this.#clientGone())
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller
    if (this.#aborted) controller.abort(new Error('client left'))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    _headers: unknown,
    statusMessage?: string,
  ) {
    // Interim answers (100, 103) are for the hop that asked.
    if (statusCode < 200) return
    this.#response.writeHead(
      statusCode,
      statusMessage,
      toClientHeaders((controller.rawHeaders ?? []) as (string | Buffer)[]),
    )
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.#response.write(chunk)) return
    controller.pause()
    this.#response.once('drain', () => controller.resume())
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: Record<string, unknown>) {
    // Safe: undici gives trailers as text.
    if (Object.keys(trailers).length > 0)
      this.#response.addTrailers(trailers as Record<string, string>)
    this.#response.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error) {
    if (this.#aborted) return
    if (this.#response.headersSent) {
      // Half an answer cannot be mended: closing the socket is the only honest sign.
      this.#response.destroy()
      return
    }
    this.#request.unpipe()
    this.#onFailure(this.#response, translateFailure(cause, this.#url))
  }

  #clientGone() {
    if (this.#response.writableFinished) return
    this.#aborted = true
    this.#controller?.abort(new Error('client left'))
  }
}
