import { z } from 'zod'
import type { Context } from '../contract/context.ts'
import { type OutboundRequest, defineStage } from './define.ts'
import { forwardedHeaders, hasHeader } from './forwarded-headers.ts'
import { BodyInput, toBodyText } from './body-input.ts'
import { ParamsInput, withParams } from './params-input.ts'

/** Calls any HTTP address. Synchronously the answer becomes the response. */
export const httpRequest = defineStage({
  use: 'httpRequest',
  summary: 'Call an HTTP address',
  mayBeAsync: true,
  inputs: z.strictObject({
    url: z.string().describe('Address to call, with http:// or https://'),
    method: z
      .string()
      .optional()
      .describe('HTTP method; the request’s own by default, GET when asynchronous'),
    params: ParamsInput.optional().describe('Query-string parameters to add to the address'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Headers to send; the request’s own by default, without its credentials'),
    body: BodyInput.optional().describe('Body to send; the request’s own by default'),
  }),
  async run(context, inputs, services) {
    const base = services.async ? NOTHING : inherited(context)
    const method = (inputs.method ?? base.method).toUpperCase()
    const headers = inputs.headers ?? base.headers
    const takesBody = method !== 'GET' && method !== 'HEAD'
    const response = await services.fetch({
      method,
      url: withParams(inputs.url, inputs.params ?? base.params),
      headers: hasHeader(headers, 'content-type')
        ? headers
        : { ...headers, 'content-type': 'application/json' },
      body: takesBody ? toBodyText(inputs.body ?? base.body) : '',
    })
    if (services.async) return { output: response.body }
    return { changes: { response }, end: response.code >= 400 }
  },
})

interface Inherited extends Omit<OutboundRequest, 'url'> {
  params: z.infer<typeof ParamsInput>
}

const NOTHING: Inherited = { method: 'GET', params: {}, headers: {}, body: '' }

const inherited = ({ request, envs }: Context): Inherited => ({
  method: request.method,
  params: ParamsInput.safeParse(envs.urlValues).data ?? {},
  headers: forwardedHeaders(request.headers),
  body: request.body,
})
