import type { HeaderMap } from '../contract/context.ts'

/** Headers that belong to the caller's own connection and credential, or to its body as it was. */
const OWN = new Set([
  'accept', 'accept-encoding', 'authorization', 'connection', 'content-encoding', 'content-length',
  'cookie', 'expect', 'host', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te',
  'trailer', 'transfer-encoding', 'upgrade',
]) // prettier-ignore

/** The headers of a request that a call made on its behalf may carry, names in lower case. */
export function forwardedHeaders(headers: HeaderMap): HeaderMap {
  const forwarded: HeaderMap = {}
  for (const name in headers) {
    const lower = name.toLowerCase()
    if (!OWN.has(lower)) forwarded[lower] = headers[name] ?? ''
  }
  return forwarded
}

/** Whether a header is there, whatever its case. */
export const hasHeader = (headers: HeaderMap, name: string) =>
  Object.keys(headers).some((one) => one.toLowerCase() === name)
