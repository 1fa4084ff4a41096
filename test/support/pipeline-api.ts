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

/** Calls the gateway API as its administrator, over a real socket. */
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
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: JSON.parse(text) as unknown }
}

function toFormData(form: Record<string, Part>) {
  const data = new FormData()
  for (const [name, part] of Object.entries(form))
    if (typeof part === 'string') data.append(name, part)
    else data.append(name, new Blob([part.text]), part.fileName)
  return data
}
