import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { EngineFailure, failures, toErrorBody } from '../errors.ts'
import type { EndpointDefinition } from '../features/define.ts'
import { checkCaller } from './guard.ts'
import { isMediaTypeKnown, readBody } from './body.ts'
import type { Engine } from './engine.ts'
import { json, type Reply } from './reply.ts'
import { createRequest } from './request.ts'
import { checkParameters, createRouter, NoRoute } from './router.ts'
import { sendReply } from './write-reply.ts'

interface ServerOptions {
  readonly engine: Engine
  readonly endpoints: readonly EndpointDefinition[]
  readonly allowedOrigins: readonly string[]
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void
}

function parseQuery(search: string): Map<string, string> {
  const query = new Map<string, string>()
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    try {
      const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
      query.set(decode(name), decode(value))
    } catch {
      throw failures.illegalArgument(`the parameters have a malformed escape: [${pair}]`)
    }
  }
  return query
}

/** The HTTP side of the engine: from request to answer, and every failure to its shape. */
export function createHttpServer({ engine, endpoints, allowedOrigins, log }: ServerOptions) {
  const route = createRouter(endpoints)

  async function answer(
    message: IncomingMessage,
    path: string,
    query: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<Reply> {
    checkCaller(message.headers, allowedOrigins)
    const method = message.method ?? 'GET'
    const { endpoint, pathParameters } = route(method, path)
    let body: Uint8Array = await readBody(message, engine.limits.bodyBytes)
    checkParameters(endpoint, path, query.keys())
    const contentType = message.headers['content-type']
    if (body.length > 0 && !isMediaTypeKnown(contentType ?? ''))
      return json(
        { error: `Content-Type header [${contentType ?? ''}] is not supported`, status: 406 },
        406,
      )
    const source = query.get('source')
    if (body.length === 0 && source !== undefined) body = Buffer.from(source)
    if (endpoint.body === 'none' && body.length > 0 && method !== 'HEAD')
      throw failures.illegalArgument(`request [${method} ${path}] does not support having a body`)
    const request = createRequest({ method, path, pathParameters, query, body, signal })
    checkValues(endpoint, request)
    return endpoint.handle(request, engine)
  }

  async function handle(message: IncomingMessage, response: ServerResponse) {
    const url = message.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    let query: ReadonlyMap<string, string> = new Map()
    let reply: Reply
    try {
      query = parseQuery(mark < 0 ? '' : url.slice(mark + 1))
      reply = await answer(message, path, query, gone.signal)
      await sendReply(message, response, reply, { query, profile: engine.profile })
    } catch (error) {
      if (gone.signal.aborted || response.headersSent) return
      reply = toReply(error, path)
      // A body that was refused is not read to its end, so the connection cannot be used again.
      if (!message.complete) response.setHeader('connection', 'close')
      query = new Map([...query].filter(([name]) => name === 'pretty'))
      await sendReply(message, response, reply, { query, profile: engine.profile })
    }
  }

  function toReply(error: unknown, path: string): Reply {
    if (error instanceof EngineFailure) return json(toErrorBody(error), error.status)
    if (error instanceof NoRoute) {
      const { status, message, allowed } = error
      if (status !== 405) return json({ error: message }, status)
      return { ...json({ error: message, status }, status), headers: { allow: allowed.join(',') } }
    }
    const id = randomUUID()
    log('internal', { id, path, stack: error instanceof Error ? error.stack : String(error) })
    return json({ error: { type: 'exception', reason: 'internal error', id }, status: 500 }, 500)
  }

  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: 0 },
    (message, response) => {
      handle(message, response).catch((error: unknown) => {
        log('internal', { stack: error instanceof Error ? error.stack : String(error) })
        response.destroy()
      })
    },
  )
  return server
}

/** Reads every parameter once, so that a value of the wrong kind is refused wherever it stands. */
function checkValues(endpoint: EndpointDefinition, request: ReturnType<typeof createRequest>) {
  for (const [name, kind] of Object.entries(endpoint.parameters)) {
    const value = request.text(name)
    if (value === undefined) continue
    if (kind === 'boolean') request.flag(name)
    else if (kind === 'int') request.int(name)
    else if (kind === 'time') request.duration(name)
    else if (typeof kind !== 'string' && !kind.includes(value))
      throw failures.illegalArgument(
        `No value [${value}] for parameter [${name}]: expected one of [${kind.join(', ')}]`,
      )
  }
}
