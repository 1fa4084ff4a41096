import { canonicalPath } from './dialect.ts'
import { changeTo } from './fixes.ts'
import { OWN_PATH } from './own-path.ts'
import { isRaw, listOf, textOf } from './raw.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

/** Templates are found by a walk that goes one level deeper for each segment. */
const MOST_SEGMENTS = 100

/** Checks the paths of all routes. */
export function checkRoutes(
  routes: unknown,
  { document, report }: { document: SourceDocument; report: Report },
) {
  const seen = new Set<string>()
  for (const [index, route] of listOf(routes).entries()) {
    const path = isRaw(route) ? textOf(route['path']) : undefined
    if (!isRaw(route) || path === undefined) continue
    const where = document.locate(['routes', index, 'path'])
    const mistake = mistakeIn(path)
    if (mistake) report.error('route-path', `The path "${path}" ${mistake}`, where)
    else if (!path.startsWith('/'))
      report.information(
        'route-slash',
        `The path "${path}" is read as "/${path}"`,
        where,
        changeTo(`/${path}`, document.rewrite(['routes', index, 'path'], `/${path}`)),
      )
    const shape = `${textOf(route['method'])} ${canonicalPath(`/${path}`.replace(/^\/+/, '/'))}`
    if (seen.has(shape))
      report.warning('duplicate-route', `${shape} stands twice; the first one counts`, where)
    seen.add(shape)
  }
}

function mistakeIn(path: string): string | undefined {
  if (/[?#\s]/.test(path)) return 'may hold no blank, ? or #: only the path is matched'
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (path.trim() !== '/' && segments.includes('')) return 'has an empty segment'
  if (segments.length > MOST_SEGMENTS) return `has more than ${MOST_SEGMENTS} segments`
  if (OWN_PATH.test(`/${segments.join('/')}`))
    return 'belongs to the API of the gateway, so no pipeline gets its requests'
  const bad = segments.find((one) => /[{}]/.test(one) && !/^\{[A-Za-z_][\w-]*\}$/.test(one))
  if (bad) return `has "${bad}": a parameter is one whole segment, such as {index}`
  const names = segments.filter((one) => one.startsWith('{'))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice ? `names the parameter ${twice} twice` : undefined
}
