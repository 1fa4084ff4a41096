import type { DeclarativeFacts } from './declarative-facts.ts'

/** Where a request keeps what was read from its body, so that it is parsed once. */
export const READ = Symbol('read')

/** What is known of a request before anything runs. */
export interface RequestFacts {
  method: string
  /** Path and query exactly as they came, such as `/movies/_search?q=a%20b`. */
  url: string
  /** Names in lower case; repeated headers joined by a comma and a blank. */
  headers: Readonly<Record<string, string>>
  /** Absent until someone has read it; a request without a body has the empty text. */
  body?: string
  clientIp: string
  isTls: boolean
  /** How the gateway classifies the request by itself; a route's own `classify` wins. */
  category?: string
  acl?: string
  [READ]?: { body: string | undefined; facts: DeclarativeFacts }
}

/** The path of a request, as it came, without the query. */
export const pathOf = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** The request as a pipeline sees it: at an address without a version's prefix. */
export const withUrl = (request: RequestFacts, url: string): RequestFacts =>
  url === request.url ? request : { ...request, url }

/** Headers that belong to the gateway and are no business of a pipeline. */
const OWN_HEADERS = new Set(['authorization', 'proxy-authorization'])

/** A request as pipelines see it: with the whole address, and without the caller's credentials. */
export function contextRequest({ method, url, headers, body = '', isTls }: RequestFacts) {
  const kept: Record<string, string> = {}
  for (const name in headers) if (!OWN_HEADERS.has(name)) kept[name] = headers[name] ?? ''
  const host = headers['host'] ?? 'localhost'
  return { method, url: `${isTls ? 'https' : 'http'}://${host}${url}`, headers: kept, body }
}
