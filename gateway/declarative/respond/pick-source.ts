import { isJsonObject, type JsonObject } from '../json-object.ts'

/**
 * The parts of a document that patterns let through, as `_source` filtering does: a pattern names
 * a path, `*` stands for any run of characters, and naming an object takes all that is inside.
 */
export function pickSource(
  document: JsonObject,
  includes: readonly string[] = ['*'],
  excludes: readonly string[] = [],
): JsonObject {
  const isIncluded = matcherOf(includes)
  const isExcluded = matcherOf(excludes)
  const pick = (object: JsonObject, prefix: string): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([key, value]) => {
        const path = prefix + key
        if (isExcluded(path)) return []
        if (!isJsonObject(value)) return isIncluded(path) ? [[key, value]] : []
        const inside = pick(value, `${path}.`)
        return isIncluded(path) || Object.keys(inside).length > 0 ? [[key, inside]] : []
      }),
    )
  return pick(document, '')
}

/** Whether one of the patterns names the path or an object around it. */
function matcherOf(patterns: readonly string[]) {
  const expressions = patterns.map((pattern) => {
    const body = pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')
    return new RegExp(`^${body}(?:\\.|$)`, 's')
  })
  return (path: string) => expressions.some((expression) => expression.test(path))
}
