import { failures } from '../errors.ts'
import { tokenName } from './define.ts'

/**
 * A number as the engine reads one: as such or as text.
 * @throws {EngineFailure} number_format_exception for other text.
 */
export function numberOfToken(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  if (typeof number === 'bigint') return Number(number)
  throw typeof value === 'string'
    ? failures.numberFormat(value === '' ? 'empty String' : `For input string: "${value}"`)
    : failures.illegalArgument(`expected a number, but found ${tokenName(value)}`)
}

/** True or false, as such or as text. @throws {EngineFailure} */
export function booleanOf(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw failures.illegalArgument(
    typeof value === 'string'
      ? `Failed to parse value [${value}] as only [true] or [false] are allowed.`
      : `expected true or false, but found ${tokenName(value)}`,
  )
}
