import { failures, unsupported } from '../errors.ts'
import { createRegexpMatcher } from '../query/automaton/regexp.ts'
import { plainText } from '../query/parameters.ts'
import type { AggregationBody } from './define.ts'
import type { Key } from './keys.ts'

/**
 * Which keys a terms aggregation looks at: `include` and `exclude`, each a list of values or a
 * regular expression.
 * @throws {EngineFailure}
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
  const matches = createRegexpMatcher(value)
  return (key: Key) => matches(Array.from(String(key), (char) => char.codePointAt(0)!))
}

/** Boolean keys are the terms T and F inside. */
const booleanOrText = (value: unknown) =>
  value === true ? 'T' : value === false ? 'F' : plainText(value)
