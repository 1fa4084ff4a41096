import { indexJson } from '../json-view/json-index.ts'

const PLAIN = 60

/**
 * The JSON of a value worth opening as a tree: a container, or what a string of JSON holds. Null for
 * everything else, for short values, and for those that were cut and so are no JSON any more.
 */
export function structuredValue(text: string): { text: string; isString: boolean } | null {
  if (text.length <= PLAIN) return null
  const isString = /^"\s*[[{]/.test(text)
  if (!isString && !/^[[{]/.test(text)) return null
  if (!('index' in indexJson(text))) return null
  // Safe: this is a whole string token, and a string has no digits to lose.
  const inner = isString ? (JSON.parse(text) as string) : text
  return 'index' in indexJson(inner) ? { text: inner, isString } : null
}
