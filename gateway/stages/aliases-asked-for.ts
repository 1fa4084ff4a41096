import { parseJson } from '../declarative/parse-json.ts'
import { isJsonObject } from '../declarative/json-object.ts'
import type { StageServices } from './define.ts'

/**
 * Concrete index → alias, for the aliases among the route's indices. The engine is asked only when
 * a name that was asked for is nowhere in the answer though others are, which aliases cause.
 */
export async function aliasesAskedFor(answer: string, services: StageServices) {
  const names = services.route.indices.filter(
    (name) => !/[*,<]/.test(name) && !name.startsWith('_') && !name.startsWith('-'),
  )
  const unseen = names.filter((name) => !answer.includes(`"_index":"${name}"`))
  if (unseen.length === 0 || !answer.includes('"_index"')) return new Map<string, string>()
  const { code, body } = await services.sendToEngine({
    method: 'GET',
    url: `/_alias/${unseen.map(encodeURIComponent).join(',')}`,
    headers: {},
    body: '',
  })
  // An engine answers 404 when one of the names is no alias, together with those that are.
  return code < 500 ? aliasByIndex(parseJson(body), new Set(unseen)) : new Map<string, string>()
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
