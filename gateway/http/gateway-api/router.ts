import type { ApiRoute } from './define-route.ts'

interface Found {
  route: ApiRoute
  params: Record<string, string>
}

/** Finds routes by method and path; a literal segment goes before a parameter. */
export function createRouter(routes: readonly ApiRoute[]) {
  const entries = routes
    .map((route) => ({ route, segments: route.path.split('/') }))
    .toSorted((a, b) => (sortKey(a.route.path) < sortKey(b.route.path) ? -1 : 1))

  /** The route of a request, or the methods its path takes; none when there is no such path. */
  return function find(method: string, path: string): Found | { allowed: string[] } {
    const asked = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    const allowed: string[] = []
    for (const { route, segments } of entries) {
      const params = matchSegments(segments, asked)
      if (params && route.method === method) return { route, params }
      if (params) allowed.push(route.method)
    }
    return { allowed }
  }
}

/** Literals before parameters: `/_pipeline/schema` is no pipeline with the id "schema". */
const sortKey = (path: string) => path.replaceAll(/\{[^}]+\}/g, '\uffff')

function matchSegments(template: readonly string[], asked: readonly string[]) {
  if (template.length !== asked.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, segment] of template.entries()) {
    const text = asked[place] ?? ''
    if (!segment.startsWith('{')) {
      if (segment !== text) return undefined
    } else {
      const value = decode(text)
      if (!value) return undefined
      params[segment.slice(1, -1)] = value
    }
  }
  return params
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
