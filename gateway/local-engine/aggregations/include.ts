import { failures, unsupported } from '../errors.ts'
import { plainText } from '../query/parameters.ts'
import { chooseWildcard } from '../query/weights/marks.ts'
import { packTerms } from '../segment/dictionary.ts'
import type { AggregationBody } from './define.ts'
import type { Key } from './keys.ts'

/**
 * Which keys a terms aggregation looks at: `include` and `exclude`, each a list of values or a
 * pattern.
 * @throws {EngineFailure} for patterns beyond text, `.` and `.*`.
 */
export function readKeyFilter(given: AggregationBody): (key: Key) => boolean {
  const include = readOne(given, 'include')
  const exclude = readOne(given, 'exclude')
  return (key) => (include?.(key) ?? true) && !(exclude?.(key) ?? false)
}

function readOne({ name, body }: AggregationBody, part: 'include' | 'exclude') {
  const value = body[part]
  if (value === undefined) return undefined
  if (Array.isArray(value)) {
    const wanted = new Set(value.map(booleanOrText))
    return (key: Key) => wanted.has(String(key))
  }
  if (typeof value !== 'string') {
    if (typeof value === 'object' && value !== null && 'partition' in value)
      throw unsupported(`aggregation.terms.${part}.partition`, `[terms] [${part}] by partition`)
    throw failures.illegalArgument(`[${part}] of [${name}] must be a list of values or a pattern`)
  }
  const pattern = toWildcard(value)
  if (pattern === undefined)
    throw unsupported(
      `aggregation.terms.${part}.pattern`,
      `[terms] [${part}] pattern [${value}], which has more than text, "." and ".*",`,
    )
  const choose = chooseWildcard(pattern)
  return (key: Key) => [...choose(packTerms([String(key)]))].length > 0
}

/** Boolean keys are the terms T and F inside. */
const booleanOrText = (value: unknown) =>
  value === true ? 'T' : value === false ? 'F' : plainText(value)

/** The pattern with `*` and `?` instead of `.*` and `.`; undefined when it has anything else. */
function toWildcard(pattern: string): string | undefined {
  let out = ''
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!
    if (char === '.') {
      const repeated = pattern[i + 1] === '*'
      out += repeated ? '*' : '?'
      if (repeated) i++
    } else if (char === '\\' && i + 1 < pattern.length) out += `\\${pattern[++i]}`
    else if ('?+*|{}[]()"#@&<>~'.includes(char)) return undefined
    else out += char
  }
  return out
}
