import { failures } from '../errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * A time such as `1s` or `500ms` in milliseconds; `-1` means never and stays −1.
 * @param name of the parameter or setting, for the error.
 */
export function parseDuration(text: string, name: string): number {
  if (text === '-1') return -1
  if (text === '0') return 0
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(nanos|micros|ms|s|m|h|d)$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (amount === undefined || factor === undefined)
    throw failures.illegalArgument(
      `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
    )
  return Number(amount) * factor
}
