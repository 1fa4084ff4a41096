import { isJsonObject } from './json-object.ts'
import type { EngineItem, TranslatedRequest } from './translate-request.ts'

/** The queries the engine runs, in the order of the lines of `toMsearch`. */
export const engineItems = ({ items }: TranslatedRequest): EngineItem[] =>
  items.filter((item) => item.kind === 'engine')

/** The body of `_msearch`: a header line and a query line for each; empty when none runs. */
export const toMsearch = (translated: TranslatedRequest) =>
  engineItems(translated)
    .map(({ preference, index, body }) => {
      const header = JSON.stringify({ preference, ...(index && { index }) })
      return `${header}\n${JSON.stringify(body)}\n`
    })
    .join('')

/**
 * The items whose answers an `_msearch` of this body brings, in its order. Scripts may take lines
 * out: what is left is known by its preference.
 */
export function sentItems(translated: TranslatedRequest, msearch: string) {
  const preferences = msearch
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((_line, position) => position % 2 === 0)
    .map(preferenceOf)
  if (preferences.length === engineItems(translated).length) return translated.items
  const sent = new Set(preferences)
  return translated.items.filter((item) => item.kind !== 'engine' || sent.has(item.preference))
}

function preferenceOf(header: string) {
  try {
    const parsed: unknown = JSON.parse(header)
    return isJsonObject(parsed) ? parsed.preference : undefined
  } catch {
    return undefined
  }
}
