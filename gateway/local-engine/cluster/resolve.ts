import { indexNotFound, invalidIndexName } from '../errors.ts'

/** How an index expression treats what is not there. */
export interface ResolveOptions {
  /** Names without an index are skipped instead of being an error. */
  readonly ignoreUnavailable?: boolean
  /** A pattern may match nothing. Default true. */
  readonly allowNoIndices?: boolean
}

const toRegex = (pattern: string) =>
  new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's')

/**
 * The names an expression stands for, in order of mention, patterns in order of names: a comma
 * list of names, `*` patterns, `-` exclusions after a pattern, `_all`.
 * @throws {EngineFailure} index_not_found_exception
 */
export function resolveIndices(
  expression: string,
  names: readonly string[],
  { ignoreUnavailable = false, allowNoIndices = true }: ResolveOptions = {},
): string[] {
  if (expression === '' || expression === '_all' || expression === '*') {
    if (names.length === 0 && !allowNoIndices) throw indexNotFound(expression || '_all')
    return [...names]
  }
  const found = new Set<string>()
  let hadPattern = false
  for (const part of expression.split(',')) {
    if (part === '') continue
    if (part.startsWith('-') && hadPattern) {
      const excluded = toRegex(part.slice(1))
      for (const name of found) if (excluded.test(name)) found.delete(name)
    } else if (part.includes('*') || part === '_all') {
      hadPattern = true
      const pattern = toRegex(part === '_all' ? '*' : part)
      const matching = names.filter((name) => pattern.test(name))
      for (const name of matching) found.add(name)
      if (matching.length === 0 && !allowNoIndices) throw indexNotFound(part)
    } else if (names.includes(part)) found.add(part)
    else if (part.startsWith('_')) throw invalidIndexName(part, "must not start with '_'.")
    else if (!ignoreUnavailable) throw indexNotFound(part)
  }
  if (found.size === 0 && !allowNoIndices) throw indexNotFound(expression)
  return [...found]
}
