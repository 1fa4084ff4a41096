import { z } from 'zod'
import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'
import { BodyInput, toBodyText } from './body-input.ts'
import type { OutboundRequest, StageServices } from './define.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { ParamsInput, withParams } from './params-input.ts'

/** What `searchEngineQuery` takes. */
export const EngineInputs = z.strictObject({
  url: z
    .string()
    .optional()
    .describe('Another cluster to ask, with http:// or https://; its path wins over `path`'),
  path: z
    .string()
    .optional()
    .describe(
      'Path at the engine; the request’s own by default, `_msearch` for declarative routes',
    ),
  method: z.string().optional().describe('HTTP method; the request’s own by default'),
  params: ParamsInput.optional().describe('Query-string parameters; the request’s own by default'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Headers to send; the request’s own by default, without its credentials'),
  body: BodyInput.optional().describe('Body to send; the request’s own by default'),
  independentBody: z
    .string()
    .optional()
    .describe('Queries that have an endpoint, as declarativeQuery leaves them'),
  parseResponseToReactivesearch: z
    .boolean()
    .optional()
    .describe('Answer by query id; on by default for declarative routes'),
})

export type EngineInputs = z.output<typeof EngineInputs>

/** A request to the engine, and whether it is one whose answers can be sorted by query id. */
export interface EngineCall {
  request: OutboundRequest
  isDeclarativeSearch: boolean
}

/** What to send: what the inputs say, else what the request and its route say. */
export function engineCall(
  { request, envs }: Context,
  inputs: EngineInputs,
  { route }: StageServices,
): EngineCall {
  const isDeclarative = route.category === 'declarative'
  const usualPath = isDeclarative ? msearchPath(route.indices) : (textOf(envs.path) ?? '/')
  const target = targetOf(inputs.url, inputs.path ?? usualPath)
  const isDeclarativeSearch = isDeclarative && /\/_msearch(?:\?|$)/.test(target)
  const params = inputs.params ?? paramsOf(envs)
  return {
    isDeclarativeSearch,
    request: {
      method:
        inputs.method ?? (isDeclarativeSearch ? 'POST' : (textOf(envs.method) ?? request.method)),
      // In `_msearch` the preference stands in each query's header line.
      url: withParams(target, isDeclarativeSearch ? without(params, 'preference') : params),
      headers: inputs.headers ?? {
        ...forwardedHeaders(request.headers),
        'accept-encoding': 'identity',
        ...(isDeclarativeSearch && { 'content-type': 'application/x-ndjson' }),
      },
      body: toBodyText(inputs.body ?? request.body),
    },
  }
}

/** Sends to the connected engine, or to another cluster when the address is a whole one. */
export const sendCall = (call: OutboundRequest, services: StageServices) =>
  isWholeAddress(call.url) ? services.fetch(call) : services.sendToEngine(call)

/** Whether an address names its host. */
export const isWholeAddress = (url: string) => /^https?:\/\//i.test(url)

const msearchPath = (indices: readonly string[]) =>
  indices.length > 0 ? `/${indices.map(encodeURIComponent).join(',')}/_msearch` : '/_msearch'

/** A path or query in the address wins; an address without one gets the usual path. */
function targetOf(address: string | undefined, path: string) {
  if (address === undefined) return path.startsWith('/') ? path : `/${path}`
  const url = URL.parse(address)
  if (!url || !isWholeAddress(address))
    throw errors.inputsInvalid(
      `Input "url" is "${address}": it must be an address such as https://search.example:9200`,
    )
  return url.pathname === '/' && url.search === '' ? url.origin + path : address
}

/** The parameters of the request, without the one that is for the gateway. */
const paramsOf = ({ urlValues }: Context['envs']) =>
  urlValues === undefined ? {} : without(ParamsInput.safeParse(urlValues).data ?? {}, 'debug')

const without = (params: z.infer<typeof ParamsInput>, name: string) =>
  Object.fromEntries(Object.entries(params).filter(([one]) => one !== name))

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
