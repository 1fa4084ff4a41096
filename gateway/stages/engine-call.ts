import { z } from 'zod'
import type { Context } from '../contract/context.ts'
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

/** The request to send: what the inputs say, else what the request and its route say. */
export function engineCall(
  { request, envs }: Context,
  inputs: EngineInputs,
  { route }: StageServices,
): OutboundRequest {
  const isDeclarative = route.category === 'declarative'
  const params = inputs.params ?? paramsOf(envs)
  const path =
    inputs.path ?? (isDeclarative ? msearchPath(route.indices) : (textOf(envs.path) ?? '/'))
  const headers = inputs.headers ?? {
    ...forwardedHeaders(request.headers),
    'accept-encoding': 'identity',
    ...(isDeclarative && { 'content-type': 'application/x-ndjson' }),
  }
  return {
    method: inputs.method ?? (isDeclarative ? 'POST' : (textOf(envs.method) ?? request.method)),
    url: withParams(
      targetOf(inputs.url, path),
      // In `_msearch` the preference stands in each query's header line.
      isDeclarative ? without(params, 'preference') : params,
    ),
    headers,
    body: toBodyText(inputs.body ?? request.body),
  }
}

/** Sends to the connected engine, or to another cluster when the address is a whole one. */
export const sendCall = (call: OutboundRequest, services: StageServices) =>
  isWholeAddress(call.url) ? services.fetch(call) : services.sendToEngine(call)

/** Whether an address names its host. */
export const isWholeAddress = (url: string) => /^https?:\/\//i.test(url)

const msearchPath = (indices: readonly string[]) =>
  indices.length > 0 ? `/${indices.map(encodeURIComponent).join(',')}/_msearch` : '/_msearch'

/** A path in the address wins; an address without one gets the usual path. */
function targetOf(url: string | undefined, path: string) {
  if (url === undefined) return path
  const { origin, pathname } = new URL(url)
  return pathname === '/' ? origin + path : url
}

/** The parameters of the request, without the one that is for the gateway. */
const paramsOf = (envs: Context['envs']) =>
  without(ParamsInput.safeParse(envs.urlValues).data ?? {}, 'debug')

const without = (params: z.infer<typeof ParamsInput>, name: string) =>
  Object.fromEntries(Object.entries(params).filter(([one]) => one !== name))

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
