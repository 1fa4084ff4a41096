import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Principal } from '../access/credentials.ts'
import type { EngineConnection } from '../engine/connection.ts'
import { passThrough } from '../engine/proxy.ts'
import { errors, type GatewayError } from '../errors.ts'
import { OWN_PATH } from '../pipeline/own-path.ts'
import { sendError } from './error-body.ts'
import type { Taken } from './pipeline-endpoint.ts'

/** What the endpoint needs from the rest of the program. */
export interface EndpointServices {
  isAllowedHost(host: string | undefined): boolean
  verify(authorization: string | undefined): Principal | null | Promise<Principal | null>
  /** The engine of this moment. @throws {GatewayError} ENGINE_STARTING while there is none yet. */
  engine(): EngineConnection
  /** Whether a pipeline might take the request; false means no more than one lookup was spent. */
  mayTake(method: string, url: string): boolean
  /** Runs the pipeline that takes the request; when none does, nothing was answered. */
  runPipeline(request: IncomingMessage, response: ServerResponse): Promise<Taken>
  health(): { status: number; body: unknown }
  /** Answers a request to the gateway's own API; @throws {GatewayError} for `sendError`. */
  answerApi(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** Answers every request must get within; slow clients are cut off, big bodies are not. */
const HEADERS_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 65_000

/**
 * The gateway endpoint: pipelines first, everything else untouched to the engine. No framework:
 * this is the hot path, and a request that is passed on pays for a host check, a credential lookup
 * and nothing more.
 */
export function createGatewayEndpoint(services: EndpointServices) {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const { host } = request.headers
    if (!services.isAllowedHost(host)) return fail(request, response, hostRefused(host))
    const problem = toOriginForm(request, services)
    if (problem) return fail(request, response, problem)
    const url = request.url ?? '/'
    if (url.startsWith('/_') && OWN_PATH.test(url)) return answerOwn(request, response)
    if (services.mayTake(request.method ?? 'GET', url)) {
      services.runPipeline(request, response).then(
        (result) => result.taken || guarded(request, response, result.body),
        (problem: unknown) => fail(request, response, problem),
      )
      return
    }
    guarded(request, response)
  }

  function answerOwn(request: IncomingMessage, response: ServerResponse) {
    if (request.url?.split('?')[0] === '/_sluice/health') return answerHealth(response, services)
    services
      .answerApi(request, response)
      .catch((problem: unknown) => fail(request, response, problem))
  }

  /** Pass-through behind the credential check (decisions.md 22). */
  function guarded(request: IncomingMessage, response: ServerResponse, body?: Buffer) {
    const principal = services.verify(request.headers.authorization)
    if (principal instanceof Promise)
      principal.then(
        (found) => forward(request, response, found, body),
        (problem: unknown) => fail(request, response, problem),
      )
    else forward(request, response, principal, body)
  }

  function forward(
    request: IncomingMessage,
    response: ServerResponse,
    who: Principal | null,
    body: Buffer | undefined,
  ) {
    if (!who) return fail(request, response, unauthorized(request.headers.authorization))
    let engine: EngineConnection
    try {
      engine = services.engine()
    } catch (problem) {
      return fail(request, response, problem)
    }
    passThrough(engine, request, response, { body, onFailure: sendError })
  }

  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
    onRequest,
  )
  return server
}

/** 401 for a missing or wrong credential, saying which. */
export const unauthorized = (header: string | undefined) =>
  errors.unauthorized(
    header === undefined
      ? 'This gateway needs a user name and a password (HTTP Basic authentication)'
      : 'The user name or the password is wrong',
  )

const hostRefused = (host = '') =>
  errors.hostRefused(
    `Requests for host "${host}" are not answered here; ` +
      'use localhost, or name the host in the configuration',
  )

/**
 * Makes `/path` of `http://host/path`, which every server must take (RFC 9112, section 3.2.2). Gives
 * what is wrong with a target that is no path, such as `*`.
 */
function toOriginForm(
  request: IncomingMessage,
  { isAllowedHost }: EndpointServices,
): GatewayError | undefined {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return undefined
  const [, host, path = '/'] = /^https?:\/\/([^/?]+)([/?].*)?$/i.exec(target) ?? []
  if (host === undefined)
    return errors.requestInvalid(
      `"${target}" is no path; a request asks for a path such as /_search`,
    )
  if (!isAllowedHost(host)) return hostRefused(host)
  request.url = path.startsWith('/') ? path : `/${path}`
  return undefined
}

/** A rest that is not worth a timer, and how long a larger one is read. */
const SMALL_BODY_BYTES = 64 * 1024
const DROPPING_MS = 5_000

/** Answers with an error and lets go of a body nobody will read. */
function fail(request: IncomingMessage, response: ServerResponse, problem: unknown) {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (!request.complete && (length !== undefined || encoding !== undefined)) {
    // The rest is read and dropped for a moment: a client that is cut off while it writes never
    // gets to see the answer, and `connection: close` would cut it off as soon as that is sent.
    request.resume()
    if (encoding !== undefined || Number(length) > SMALL_BODY_BYTES)
      setTimeout(() => request.complete || request.destroy(), DROPPING_MS).unref()
  }
  sendError(response, problem)
}

function answerHealth(response: ServerResponse, services: EndpointServices) {
  const { status, body } = services.health()
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
