import { z } from 'zod'
import { endOfValue, skipBlanks, visitMembers } from '../declarative/respond/json-slices.ts'
import { parseJson } from '../declarative/parse-json.ts'
import { errors, GatewayError } from '../errors.ts'
import type { StageServices } from './define.ts'
import { isWholeAddress } from './engine-call.ts'
import { hasHeader } from './forwarded-headers.ts'

const EndpointQueries = z.array(
  z.looseObject({
    id: z.string(),
    request: z.looseObject({
      url: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
    }),
  }),
)
type EndpointQuery = z.infer<typeof EndpointQueries>[number]

/**
 * Runs queries that have an endpoint of their own, all at once. The caller's credentials are never
 * sent there. One that fails has its error as answer, as a query the engine refuses has.
 * @throws {GatewayError} INPUTS_INVALID when the list is something else.
 * @param given JSON list as declarativeQuery leaves it; anything but text means there are none.
 */
export async function askEndpoints(given: unknown, services: StageServices) {
  if (typeof given !== 'string') return new Map<string, string>()
  const answers = readQueries(given).map(
    async (query) => [query.id, await askEndpoint(query, services)] as const,
  )
  return new Map(await Promise.all(answers))
}

function readQueries(given: string) {
  try {
    return EndpointQueries.parse(parseJson(given))
  } catch (cause) {
    throw errors.inputsInvalid(
      'The endpoint queries are no JSON list [{"id", "request": {"url", "method", "headers"}}]',
      { cause },
    )
  }
}

async function askEndpoint({ id, request }: EndpointQuery, services: StageServices) {
  const { url, method, headers, body } = request
  try {
    if (!isWholeAddress(url))
      throw errors.declarativeInvalid(
        `Query "${id}", property "endpoint.url": must begin with http:// or https://`,
      )
    const response = await services.fetch({
      method,
      url,
      headers: hasHeader(headers, 'content-type')
        ? headers
        : { ...headers, 'content-type': 'application/json' },
      body: body === undefined || method.toUpperCase() === 'GET' ? '' : JSON.stringify(body),
    })
    return unwrapped(id, response.body)
  } catch (error) {
    if (!(error instanceof GatewayError) || services.signal.aborted) throw error
    return failure(error)
  }
}

/** Endpoints that answer as a declarative route does wrap the answer under the id. */
function unwrapped(id: string, body: string) {
  const start = skipBlanks(body, 0)
  if (skipBlanks(body, endOfValue(body, start)) !== body.length)
    throw errors.engineProtocol(`The endpoint of query "${id}" did not answer with JSON`)
  if (body[start] !== '{') return body
  let own: string | undefined
  let isWrapped = true
  visitMembers(body, start, (name, at) => {
    const end = endOfValue(body, at)
    if (name === id) own = body.slice(at, end)
    else if (name !== 'settings') isWrapped = false
    return end
  })
  return isWrapped && own !== undefined ? own : body
}

const failure = ({ code, status, message }: GatewayError) =>
  JSON.stringify({ error: { type: code, reason: message }, status })
