import { declarativeFacts } from '../declarative-facts.ts'
import { addressEnvs, providedEnvs } from '../provided-envs.ts'
import { contextRequest, pathOf, type RequestFacts } from '../request-facts.ts'
import type { Resolve } from './evaluate.ts'

/** Names that stand for facts of a request, in every expression. */
export const REQUEST_NAMES = [
  '$query', '$type', '$filter', '$index', '$origin', '$referer', '$path', '$method', '$category',
  '$acl', '$ipv4', '$ipv6', '$customEvents',
] // prettier-ignore

/** What an expression is asked about. */
export interface RequestAbout {
  request: RequestFacts
  route: { category?: string; acl?: string }
  indices: readonly string[]
  /** Global envs, overlaid with those of the selected environment. */
  envs: Readonly<Record<string, unknown>>
  /** The pipeline's. */
  ownEnvs: Readonly<Record<string, unknown>>
}

/** Gives the values of an expression's names from a request and one of its queries. */
export function requestScope(
  about: RequestAbout,
  query: { type?: string; value: unknown },
): Resolve {
  const { request, route, indices } = about
  return (name) => {
    switch (name) {
      case '$query':
        return query.value
      case '$type':
        return query.type
      case '$filter':
        return toFilters(declarativeFacts(request).filters)
      case '$customEvents':
        return declarativeFacts(request).customEvents
      case '$index':
        return [...indices, '*']
      case '$origin':
        return request.headers['host']
      case '$referer':
        return request.headers['referer']
      case '$path':
        return pathOf(request.url)
      case '$method':
        return request.method
      case '$category':
        return route.category ?? request.category
      case '$acl':
        return route.acl ?? request.acl
      case '$ipv4':
        return addressEnvs(request.clientIp).ipv4
      case '$ipv6':
        return addressEnvs(request.clientIp).ipv6
      case 'envs':
        return envsOf(about)
      case 'context':
        return {
          request: contextRequest(request),
          response: { code: 200, headers: {}, body: '' },
          envs: envsOf(about),
        }
      default:
        return undefined
    }
  }
}

/** The envs a run of the request would begin with; decisions.md 17. */
const envsOf = ({ request, route, indices, envs, ownEnvs }: RequestAbout) => ({
  ...envs,
  ...providedEnvs(request, route, indices, true),
  ...ownEnvs,
})

/** Filters can also be named with `__` where the field's name has a dot. */
function toFilters(filters: Readonly<Record<string, unknown>>) {
  const dotted = Object.entries(filters).filter(([field]) => field.includes('.'))
  return dotted.length === 0
    ? filters
    : {
        ...Object.fromEntries(
          dotted.map(([field, value]) => [field.replaceAll('.', '__'), value] as const),
        ),
        ...filters,
      }
}
