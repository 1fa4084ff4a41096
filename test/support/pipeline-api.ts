import { isDeepStrictEqual } from 'node:util'
import { ErrorBody } from '../../gateway/contract/error-body.ts'
import { createRouter } from '../../gateway/http/gateway-api/router.ts'
import { apiRoutes } from '../../gateway/http/gateway-api/routes.ts'
import type { Sluice } from './start-sluice.ts'

/** A part of a form: a text, or a file with its name. */
type Part = string | { text: string; fileName: string }

interface Call {
  json?: unknown
  form?: Record<string, Part>
  headers?: Record<string, string>
}

/** An answer of the gateway API; `body` is what its JSON holds. */
export interface ApiReply {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of many shapes
  body: any
}

const findRoute = createRouter(apiRoutes)

/** Calls the gateway API as its administrator, over a real socket. Answers must be as documented. */
export async function callApi(
  sluice: Pick<Sluice, 'gateway' | 'authorization'>,
  method: string,
  path: string,
  { json, form, headers = {} }: Call = {},
): Promise<ApiReply> {
  const reply = await fetch(sluice.gateway + path, {
    method,
    headers: {
      authorization: sluice.authorization,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form && { body: toFormData(form) }),
  })
  const body = JSON.parse(await reply.text()) as unknown
  checkAnswer(method, path, body)
  return { status: reply.status, headers: reply.headers, body }
}

/** Nothing may be missing from an answer, and nothing in it may be undocumented. */
function checkAnswer(method: string, path: string, body: unknown) {
  const found = findRoute(method, path.split('?')[0] ?? '')
  if (!('route' in found)) return
  const isError = typeof body === 'object' && body !== null && 'error' in body
  const known = (isError ? ErrorBody : found.route.response).parse(body)
  if (!isDeepStrictEqual(known, body))
    throw new Error(`${method} ${path} answers what is not documented: ${JSON.stringify(body)}`)
}

function toFormData(form: Record<string, Part>) {
  const data = new FormData()
  for (const [name, part] of Object.entries(form))
    if (typeof part === 'string') data.append(name, part)
    else data.append(name, new Blob([part.text]), part.fileName)
  return data
}
