import { declarativeFacts } from './declarative-facts.ts'
import { pathOf, type RequestFacts } from './request-facts.ts'

/** Longer bodies are not read for envs alone: that would hold up everything for 10 ms and more. */
const LONGEST_BODY = 1_000_000

/**
 * The envs a request provides by itself; empty ones are left out. `withBody` also reads the body as
 * a declarative request for `query`, `filters`, `type` and `customEvents`.
 */
export function providedEnvs(
  request: RequestFacts,
  route: { category?: string; acl?: string },
  indices: readonly string[],
  withBody: boolean,
): Record<string, unknown> {
  const { headers, url, method } = request
  const envs: Record<string, unknown> = { path: pathOf(url), method, isTLS: request.isTls }
  if (indices.length > 0) envs['index'] = indices
  if (headers['host']) envs['origin'] = headers['host']
  if (headers['referer']) envs['referer'] = envs['referrer'] = headers['referer']
  const category = route.category ?? request.category
  const acl = route.acl ?? request.acl
  if (category) envs['category'] = category
  if (acl) envs['acl'] = acl
  const urlValues = queryValues(url)
  if (Object.keys(urlValues).length > 0) envs['urlValues'] = urlValues
  Object.assign(envs, addressEnvs(request.clientIp))
  if (withBody && (request.body?.length ?? 0) <= LONGEST_BODY) {
    const { query, filters, type, customEvents } = declarativeFacts(request)
    if (query) envs['query'] = query
    if (Object.keys(filters).length > 0) envs['filters'] = filters
    if (type) envs['type'] = type
    if (customEvents) envs['customEvents'] = customEvents
  }
  return envs
}

/**
 * What `openAIConfig` is when nobody sets it: the key of the AI service, where an env of the name
 * its clients use has one (decisions/0010).
 */
export function providedAiConfig(envs: Readonly<Record<string, unknown>> | undefined) {
  const key = envs?.['OPENAI_API_KEY']
  return typeof key === 'string' && key !== '' ? { openAIConfig: { open_ai_key: key } } : undefined
}

/** The first value of every key of a query string. */
export function queryValues(url: string): Record<string, string> {
  const values: Record<string, string> = {}
  const mark = url.indexOf('?')
  if (mark < 0) return values
  for (const [key, value] of new URLSearchParams(url.slice(mark + 1)))
    if (!Object.hasOwn(values, key)) values[key] = value
  return values
}

/** The caller's address under the name of its kind; IPv4 inside IPv6 counts as IPv4. */
export function addressEnvs(address: string): { ipv4?: string; ipv6?: string } {
  const ipv4 = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
  if (ipv4 === '') return {}
  return ipv4.includes(':') ? { ipv6: ipv4 } : { ipv4 }
}
