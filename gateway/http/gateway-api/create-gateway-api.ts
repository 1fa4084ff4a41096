import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../../access/credentials.ts'
import { errors } from '../../errors.ts'
import { unauthorized } from '../gateway-endpoint.ts'
import type { ApiServices } from './api-services.ts'
import type { ApiAnswer } from './define-route.ts'
import { readApiBody } from './read-api-body.ts'
import { createRouter } from './router.ts'
import { apiRoutes } from './routes.ts'

interface Parts {
  verify(authorization: string | undefined): Principal | null | Promise<Principal | null>
  services: ApiServices
  /** @throws {GatewayError} STATE_UNAVAILABLE while the state was not read yet. */
  checkReady(): void
}

/**
 * The gateway's own API on the gateway endpoint: behind credentials, category `pipelines`. The
 * handler it gives rejects with what `sendError` answers.
 */
export function createGatewayApi({ verify, services, checkReady }: Parts) {
  const find = createRouter(apiRoutes)

  return async function answerApi(request: IncomingMessage, response: ServerResponse) {
    const { authorization } = request.headers
    const principal = await verify(authorization)
    if (!principal) throw unauthorized(authorization)
    const { method = 'GET', url = '/' } = request
    const [path = '', queryText = ''] = splitOnce(url, '?')
    const found = find(method, path)
    if ('allowed' in found) throw noRoute(found.allowed, { method, path, response })
    if (found.route.access === 'admin' && !principal.admin)
      throw errors.forbidden(
        `The credential "${principal.username}" may not use category "pipelines", which ${path} belongs to`,
      )
    refuseForeignPage(request, method)
    // Before, everything would look as if it did not exist.
    checkReady()
    const { route, params } = found
    const hangUp = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished)
        hangUp.abort(errors.runTerminated('The client hung up before the answer was there'))
    })
    const body = route.body && (await readApiBody(request, route.form ?? false))
    const answer = await route.answer(
      {
        params,
        query: firstValues(queryText),
        body,
        principal,
        ifMatch: request.headers['if-match'],
        signal: hangUp.signal,
      },
      services,
    )
    if (!hangUp.signal.aborted) send(response, { status: route.status ?? 200, ...answer })
  }
}

function noRoute(
  allowed: readonly string[],
  { method, path, response }: { method: string; path: string; response: ServerResponse },
) {
  const hint = 'GET /_sluice/openapi.json lists all routes'
  if (allowed.length === 0)
    return errors.notFound(`The gateway API has nothing at ${path}; ${hint}`)
  response.setHeader('allow', allowed.join(', '))
  return errors.methodNotAllowed(`${path} takes ${allowed.join(', ')}, not ${method}; ${hint}`)
}

/**
 * A browser that knows the password sends it with a form of any page, and a form may be multipart:
 * other pages must not write here (RFC 9110 has no word on it; fetch metadata does).
 */
function refuseForeignPage(request: IncomingMessage, method: string) {
  const site = request.headers['sec-fetch-site']
  if (method !== 'GET' && (site === 'cross-site' || site === 'same-site'))
    throw errors.forbidden('Pages of other origins may not change pipelines or environments')
}

function firstValues(queryText: string) {
  const values = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(queryText))
    if (!values.has(key)) values.set(key, value)
  return Object.fromEntries(values)
}

function splitOnce(text: string, mark: string) {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function send(response: ServerResponse, { status = 200, headers, body }: ApiAnswer<unknown>) {
  const text = JSON.stringify(body)
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    // Answers may hold secrets that were asked for; no cache has business with them.
    'cache-control': 'no-store',
  })
  response.end(text)
}

export { makeApiServices } from './make-api-services.ts'
