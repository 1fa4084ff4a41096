import { endOfString, endOfValue, skipBlanks } from './json-slices.ts'

/** Parts of a hit that hold the user's own data, where `_index` would be a field like any other. */
const USER_DATA = new Set(['"_source"', '"fields"', '"highlight"'])

/**
 * Replaces the concrete index by its alias in the `_index` of every hit, wherever hits stand, and
 * nowhere else. All other text stays as it came.
 */
export function renameIndices(text: string, aliasByIndex: ReadonlyMap<string, string>): string {
  if (aliasByIndex.size === 0) return text
  let out = ''
  let copied = 0
  let position = text.indexOf('"')
  while (position !== -1) {
    const end = endOfString(text, position)
    const colon = skipBlanks(text, end)
    let next = end
    if (text[colon] === ':') {
      const name = text.slice(position, end)
      const start = skipBlanks(text, colon + 1)
      if (USER_DATA.has(name)) next = endOfValue(text, start)
      else if (name === '"_index"' && text[start] === '"') {
        next = endOfString(text, start)
        const index: unknown = JSON.parse(text.slice(start, next))
        const alias = aliasByIndex.get(String(index))
        if (alias !== undefined) {
          out += text.slice(copied, start) + JSON.stringify(alias)
          copied = next
        }
      }
    }
    position = text.indexOf('"', next)
  }
  return out + text.slice(copied)
}
