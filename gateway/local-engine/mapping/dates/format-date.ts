import { zoneOffset } from './calendar.ts'
import { dateFormats } from './formats.ts'

/** Writes a moment, in milliseconds since 1970, in the first alternative of a format. */
export function formatDate(ms: number, format: string, timeZone = 'Z'): string {
  const [first] = dateFormats(format)
  return first?.print(ms, zoneOffset(timeZone, ms) ?? 0) ?? String(ms)
}
