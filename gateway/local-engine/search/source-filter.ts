import { failures } from '../errors.ts'
import { isObject, malformed, tokenName, type JsonObject, type Positions } from '../query/define.ts'
import { nameMatcher } from '../query/fields.ts'

/** What of `_source` a hit shows. */
export interface SourceFilter {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

const PARTS = ['includes', 'include', 'excludes', 'exclude']
const KINDS = '[VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT]'

/**
 * Reads `_source` of `outer`: true, false, a pattern, a list of patterns, or
 * `{includes, excludes}`.
 * @throws {EngineFailure}
 */
export function readSourceFilter(
  outer: { readonly _source?: unknown },
  context: Positions = {},
): SourceFilter {
  const { _source: value } = outer
  if (value === undefined || typeof value === 'boolean')
    return { enabled: value !== false, includes: [], excludes: [] }
  if (typeof value === 'string') return { enabled: true, includes: [value], excludes: [] }
  if (Array.isArray(value))
    return { enabled: true, includes: readPatterns(value, context), excludes: [] }
  if (!isObject(value))
    throw malformed(`Expected one of ${KINDS} but found [${tokenName(value)}]`, outer, context, {
      value: '_source',
    })
  const patternsOf = (...names: string[]) => names.flatMap((name) => ofPart(value, name, context))
  for (const key of Object.keys(value)) if (!PARTS.includes(key)) throw unknown(value, key, context)
  const includes = patternsOf('includes', 'include')
  const excludes = patternsOf('excludes', 'exclude')
  const both = includes.find((one) => excludes.includes(one))
  if (both !== undefined)
    throw failures.illegalArgument(
      `The same entry [${both}] cannot be both included and excluded in _source.`,
    )
  return { enabled: true, includes, excludes }
}

function ofPart(value: JsonObject, name: string, context: Positions): readonly string[] {
  const given = value[name]
  if (given === undefined) return []
  if (Array.isArray(given)) return readPatterns(given, context)
  if (typeof given !== 'string') throw unknown(value, name, context)
  return [given]
}

const unknown = (value: JsonObject, key: string, context: Positions) =>
  malformed(`Unknown key for a ${tokenName(value[key])} in [${key}].`, value, context, {
    value: key,
  })

function readPatterns(list: readonly unknown[], context: Positions): readonly string[] {
  const wrong = list.findIndex((one) => typeof one !== 'string')
  if (wrong >= 0)
    throw malformed(`Unknown key for a ${tokenName(list[wrong])} in [null].`, list, context, {
      value: wrong,
    })
  return list as string[]
}

/** Makes a function that leaves out of a JSON text what the filter does; the rest keeps its characters. */
export function createSourceFilter({
  includes,
  excludes,
}: SourceFilter): ((source: Uint8Array) => string | Uint8Array) | undefined {
  if (includes.length === 0 && excludes.length === 0) return undefined
  const included = includes.map(createPathPattern)
  const excluded = excludes.map(createPathPattern)
  const decoder = new TextDecoder()
  return (source) => {
    const kept = filterValue(decoder.decode(source), {
      isExcluded: (path) => excluded.some((pattern) => pattern.matches(path)),
      isIncluded: (path) =>
        included.length === 0 || included.some((pattern) => pattern.matches(path)),
      mayInclude: (path) => included.some((pattern) => pattern.mayReach(path)),
    })
    return kept ?? '{}'
  }
}

interface PathRules {
  isExcluded(path: string): boolean
  isIncluded(path: string): boolean
  /** Whether something below the path may be included. */
  mayInclude(path: string): boolean
}

function createPathPattern(pattern: string) {
  const whole = nameMatcher(pattern)
  const below = nameMatcher(`${pattern}.*`)
  const segments = pattern.split('.')
  return {
    matches: (path: string) => whole(path) || below(path),
    mayReach(path: string): boolean {
      if (pattern.startsWith('*')) return true
      const parts = path.split('.')
      return parts.every((part, i) => {
        if (segments.slice(0, i + 1).some((one) => one.includes('*'))) return true
        return segments[i] === part
      })
    },
  }
}

/** The filtered object, `undefined` when it is no object. The text is valid JSON: it was parsed before. */
function filterValue(text: string, rules: PathRules): string | undefined {
  let at = 0
  skipSpace()
  return text[at] === '{' ? filterObject('', rules.isIncluded('')) : undefined

  /** @param whole everything in here is included unless it is excluded. */
  function filterObject(path: string, whole: boolean): string {
    const members: string[] = []
    at++
    for (skipSpace(); text[at] !== '}'; skipSpace()) {
      if (text[at] === ',') {
        at++
        continue
      }
      const keyStart = at
      skipString()
      const key = text.slice(keyStart, at)
      skipSpace()
      at++
      skipSpace()
      // The slice is a JSON string.
      const name = JSON.parse(key) as string
      const kept = filterMember(path === '' ? name : `${path}.${name}`, whole)
      if (kept !== undefined) members.push(`${key}:${kept}`)
    }
    at++
    return `{${members.join(',')}}`
  }

  function filterMember(path: string, parentWhole: boolean): string | undefined {
    const start = at
    const whole = parentWhole || rules.isIncluded(path)
    if (rules.isExcluded(path) || !(whole || rules.mayInclude(path))) {
      skipValue()
      return undefined
    }
    const first = text[at]
    if (first === '{' || first === '[') {
      const kept = first === '{' ? filterObject(path, whole) : filterArray(path, whole)
      return !whole && (kept === '{}' || kept === '[]') ? undefined : kept
    }
    skipValue()
    return whole ? text.slice(start, at) : undefined
  }

  function filterArray(path: string, whole: boolean): string {
    const items: string[] = []
    at++
    for (skipSpace(); text[at] !== ']'; skipSpace()) {
      const start = at
      if (text[at] === ',') at++
      else if (text[at] === '{') {
        const kept = filterObject(path, whole)
        if (whole || kept !== '{}') items.push(kept)
      } else if (text[at] === '[') {
        const kept = filterArray(path, whole)
        if (whole || kept !== '[]') items.push(kept)
      } else {
        skipValue()
        if (whole) items.push(text.slice(start, at))
      }
    }
    at++
    return `[${items.join(',')}]`
  }

  function skipSpace(): void {
    while (text.charCodeAt(at) <= 0x20) at++
  }

  function skipString(): void {
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
    at++
  }

  function skipValue(): void {
    if (text[at] === '"') {
      skipString()
      return
    }
    if (text[at] !== '{' && text[at] !== '[') {
      while (at < text.length && !',]} \t\r\n'.includes(text[at]!)) at++
      return
    }
    let depth = 0
    do {
      const char = text[at]
      if (char === '"') {
        skipString()
        continue
      }
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      at++
    } while (depth > 0)
  }
}
