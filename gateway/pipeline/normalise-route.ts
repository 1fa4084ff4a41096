import { canonicalPath } from './dialect.ts'
import { changeTo, fixByOperations } from './fixes.ts'
import { isRaw, listOf, type Raw, textOf, withoutEmpty } from './raw.ts'
import type { Path, SourceDocument } from './read-document.ts'
import type { Rename } from './normalise.ts'
import type { Report } from './report.ts'

/** Categories that templates of the reference product use although it has none of that name. */
const CATEGORY_MISTAKES = new Set(['elasticsearch', 'opensearch'])

/** Repairs of further routes would each read the text anew. */
const MOST_MENDED = 5

/** What belongs inside of `classify`. */
const CLASSIFY_KEYS = ['category', 'acl'] as const

interface About {
  document: SourceDocument
  report: Report
  rename: Rename
}

/** A route in canonical names. A `classify` that is indented wrongly is reported, with its repair. */
export function normaliseRoute(raw: unknown, index: number, about: About): unknown {
  if (!isRaw(raw)) return raw
  const { document, rename } = about
  const path = ['routes', index]
  const route = withoutEmpty(raw)
  if (isBeside(raw)) {
    reportBeside(raw, path, about)
    for (const key of CLASSIFY_KEYS) delete route[key]
  }
  const routePath = textOf(route['path'])
  if (routePath?.includes('_reactivesearch'))
    for (const segment of routePath.split('/'))
      rename('segment', segment, [...path, 'path'], () =>
        document.rewrite([...path, 'path'], canonicalPath(routePath)),
      )
  const { classify } = route
  const category = isRaw(classify) ? textOf(classify['category']) : undefined
  if (isRaw(classify) && category !== undefined)
    route['classify'] = {
      ...withoutEmpty(classify),
      category: toCategory(category, [...path, 'classify', 'category'], about),
    }
  return route
}

function toCategory(category: string, path: Path, { document, report, rename }: About) {
  if (!CATEGORY_MISTAKES.has(category)) return rename('category', category, path)
  report.warning(
    'unknown-category',
    `There is no category "${category}"; the route counts as "docs"`,
    document.locate(path),
    changeTo('docs', document.rewrite(path, 'docs')),
  )
  return 'docs'
}

/** Whether `category` or `acl` stands beside `classify` instead of below it. */
const isBeside = (raw: Raw) =>
  !isRaw(raw['classify']) && CLASSIFY_KEYS.some((key) => raw[key] !== undefined)

function reportBeside(raw: Raw, path: Path, { document, report }: About) {
  const beside = CLASSIFY_KEYS.filter((key) => raw[key] !== undefined)
  const classify = Object.fromEntries(beside.map((key) => [key, raw[key]]))
  const set = { does: 'set', path: [...path, 'classify'], value: classify } as const
  const fix =
    Number(path[1]) >= MOST_MENDED
      ? undefined
      : fixByOperations(document, 'Put it below classify', [
          [set, ...beside.map((key) => ({ does: 'remove', path: [...path, key] }) as const)],
        ])
  report.error(
    'classify-indent',
    `${beside.join(' and ')} must stand below classify, indented, not beside it`,
    document.locateKey([...path, 'classify' in raw ? 'classify' : (beside[0] ?? '')]),
    fix,
  )
}

/** `classify` beside `routes` instead of inside a route. */
export function reportClassifyOutside(root: Raw, { document, report }: Omit<About, 'rename'>) {
  const { classify } = root
  if (!isRaw(classify)) return
  const without = listOf(root['routes']).flatMap((route, index) =>
    isRaw(route) && !isRaw(route['classify']) ? [index] : [],
  )
  const fix = fixByOperations(document, 'Put it into the routes', [
    ...without.map((index) => [
      { does: 'set', path: ['routes', index, 'classify'], value: classify } as const,
    ]),
    [{ does: 'remove', path: ['classify'] }],
  ])
  report.error(
    'classify-indent',
    'classify belongs to a route: indent it as deep as path and method',
    document.locateKey(['classify']),
    fix,
  )
}
