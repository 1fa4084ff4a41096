import { EngineFailure, failures, unsupported } from '../errors.ts'
import { createRegexpMatcher } from '../query/automaton/regexp.ts'
import { plainText } from '../query/parameters.ts'
import type { AggregationBody } from './define.ts'
import type { Key } from './keys.ts'
import { readParameter } from './read.ts'

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

function readOne(given: AggregationBody, part: 'include' | 'exclude') {
  return readParameter(given, part, isKind, (value) => toFilter(value, part, given))
}

/**
 * Expressions look at text only.
 * @throws {EngineFailure} for one on a field of numbers.
 */
export function checkKeyFilter({ name, body }: AggregationBody, isNumeric: boolean) {
  if (isNumeric && (typeof body.include === 'string' || typeof body.exclude === 'string'))
    throw new EngineFailure(
      500,
      'aggregation_execution_exception',
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields`,
    )
}

const isKind = (value: unknown) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

function toFilter(value: unknown, part: 'include' | 'exclude', { positions }: AggregationBody) {
  if (Array.isArray(value)) {
    const wanted = new Set(value.map(booleanOrText))
    return (key: Key) => wanted.has(String(key))
  }
  if (typeof value !== 'string') {
    if (typeof value === 'object' && value !== null && 'partition' in value)
      throw unsupported(`aggregation.terms.${part}.partition`, `[terms] [${part}] by partition`)
    throw failures.illegalArgument('Missing [partition] parameter for partition-based include', {
      at: typeof value === 'object' && value ? positions.positionOf?.(value, 'end') : undefined,
    })
  }
  const matches = compile(value)
  return (key: Key) => matches(Array.from(String(key), (char) => char.codePointAt(0)!))
}

/** The engine reads expressions only on a shard. */
function compile(expression: string) {
  try {
    return createRegexpMatcher(expression)
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    const { status, type, reason, extra } = error
    throw new EngineFailure(status, type, reason, { extra, isAtShards: type !== UNSUPPORTED })
  }
}

const UNSUPPORTED = 'unsupported_feature_exception'

/** Boolean keys are the terms T and F inside. */
const booleanOrText = (value: unknown) =>
  value === true ? 'T' : value === false ? 'F' : plainText(value)
