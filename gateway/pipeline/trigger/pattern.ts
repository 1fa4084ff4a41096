import { RE2JS } from 're2js'
import { ExpressionError } from './tokens.ts'

/** Compiling takes time that grows with the pattern, which may come from a request. */
const LONGEST = 1_000

/**
 * A regular expression that runs in linear time.
 * @throws {ExpressionError} when it is no text, too long or does not compile.
 */
export function toPattern(value: unknown, folded: boolean, at: { start: number; end: number }) {
  if (typeof value !== 'string')
    throw new ExpressionError('A regular expression must be a text', at)
  if (value.length > LONGEST)
    throw new ExpressionError(
      `The regular expression has ${value.length} characters; the limit is ${LONGEST}`,
      at,
    )
  try {
    return RE2JS.compile(value, folded ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ExpressionError(`The regular expression does not compile: ${why}`, at)
  }
}
