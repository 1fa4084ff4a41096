import { parseJson } from '../declarative/parse-json.ts'
import { isJsonObject } from '../declarative/json-object.ts'
import type { StageServices } from './define.ts'

/**
 * Concrete index → alias, for the aliases among the route's indices. The engine is asked only when
 * the answer names an index that was not asked for while a name that was is missing.
 */
export async function aliasesAskedFor(answer: string, services: StageServices) {
  const none = new Map<string, string>()
  const seen = new Set(Array.from(answer.matchAll(/"_index":"([^"\\]+)"/g), ([, name]) => name))
  const asked = services.route.indices
  if ([...seen].every((name) => name !== undefined && asked.includes(name))) return none
  const unseen = asked.filter(
    (name) => !seen.has(name) && !/[*,<]/.test(name) && !/^[-_]/.test(name),
  )
  if (unseen.length === 0) return none
  const { code, body } = await services.sendToEngine({
    method: 'GET',
    url: `/_alias/${unseen.map(encodeURIComponent).join(',')}`,
    headers: {},
    body: '',
  })
  // An engine answers 404 when one of the names is no alias, together with those that are.
  return code < 500 ? aliasByIndex(parseJson(body), new Set(unseen)) : none
}

function aliasByIndex(answer: unknown, asked: ReadonlySet<string>) {
  const found = new Map<string, string>()
  for (const [index, entry] of Object.entries(isJsonObject(answer) ? answer : {})) {
    const aliases = isJsonObject(entry) && isJsonObject(entry.aliases) ? entry.aliases : {}
    const [alias] = Object.keys(aliases).filter((name) => asked.has(name))
    if (alias !== undefined) found.set(index, alias)
  }
  return found
}
