import { parseRequest } from '../../gateway/declarative/parse-request.ts'
import { translateRequest } from '../../gateway/declarative/translate-request.ts'

/** The engine's queries for declarative ones, by id, as plain JSON; and the warnings. */
export function translate(queries: object[], settings?: object) {
  const body = JSON.stringify({ query: queries, settings })
  const { items, warnings } = translateRequest(parseRequest(body))
  const bodies: unknown = JSON.parse(
    JSON.stringify(
      Object.fromEntries(items.map((item) => [item.id, item.kind === 'engine' ? item.body : item])),
    ),
  )
  return { bodies, warnings }
}

/** The clause by which a query narrows one that reacts to it; match_all when it does not. */
export function clauseFor(query: object): unknown {
  const { bodies } = translate([
    { ...query, id: 'own', execute: false },
    { id: 'watcher', react: { and: 'own' } },
  ])
  const all = at(bodies, 'watcher', 'query')
  return at(all, 'bool', 'must', 0, 'bool', 'must') ?? all
}

/** What lies at a path inside parsed JSON; undefined when there is nothing. */
export const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )
