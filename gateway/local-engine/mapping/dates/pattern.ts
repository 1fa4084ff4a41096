import { failures, unsupported } from '../../errors.ts'
import type { DateParts } from './calendar.ts'

/** One way of reading and writing a date. */
export interface DateFormat {
  /** Undefined for text of another form. */
  readonly parse: (text: string) => DateParts | undefined
  /** @param offsetMs how far the zone to write is ahead of UTC. */
  readonly print: (ms: number, offsetMs: number) => string
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const short = (names: readonly string[]) => names.map((name) => name.slice(0, 3))

interface Part {
  readonly source: string
  /** What the matched text says; left out for names of days, which say nothing new. */
  readonly read?: (text: string) => Record<string, number | string>
  readonly print: (date: Date, offsetMs: number) => string
}

const pad = (value: number, width: number) =>
  value < 0 ? `-${String(-value).padStart(width, '0')}` : String(value).padStart(width, '0')

/** From four letters on, a year of more digits than letters has a sign. */
const writeYear = (year: number, count: number) =>
  count >= 4 && year >= 10 ** count ? `+${year}` : pad(year, count)

const number = (
  count: number,
  key: string,
  print: (date: Date) => number,
  adjust = (n: number) => n,
): Part => ({
  source: count === 1 ? '\\d{1,2}' : `\\d{${count}}`,
  read: (text) => ({ [key]: adjust(Number(text)) }),
  print: (date) => pad(print(date), count),
})

function writeOffset(offsetMs: number, colon: boolean, zero: string) {
  if (offsetMs === 0) return zero
  const minutes = Math.abs(offsetMs) / 60_000
  const text = `${pad(Math.floor(minutes / 60), 2)}${colon ? ':' : ''}${pad(minutes % 60, 2)}`
  return (offsetMs < 0 ? '-' : '+') + text
}

const named = (names: readonly string[], key: string | undefined, get: (date: Date) => number) => ({
  source: names.join('|'),
  ...(key && { read: (text: string) => ({ [key]: names.indexOf(text) + 1 }) }),
  print: (date: Date) => names[get(date)] ?? '',
})

const zone = (colon: boolean, zero: string, source: string): Part => ({
  source,
  read: (text) => ({ zone: text }),
  print: (_date, offsetMs) => writeOffset(offsetMs, colon, zero),
})

const startOfYear = (date: Date) => Date.UTC(date.getUTCFullYear(), 0, 1)

/** Letters of a pattern → what a run of `count` of them means. */
const LETTERS: Record<string, (count: number) => Part> = {
  y: (count) => ({
    source: count === 2 ? '\\d{2}' : count === 1 ? '-?\\d{1,9}' : `-?\\d{${count}}`,
    read: (text) => ({ year: count === 2 ? 2000 + Number(text) : Number(text) }),
    print: (date) =>
      count === 2 ? pad(date.getUTCFullYear() % 100, 2) : writeYear(date.getUTCFullYear(), count),
  }),
  M: (count) =>
    count === 3
      ? named(short(MONTHS), 'month', (date) => date.getUTCMonth())
      : count > 3
        ? named(MONTHS, 'month', (date) => date.getUTCMonth())
        : number(count, 'month', (date) => date.getUTCMonth() + 1),
  d: (count) => number(count, 'day', (date) => date.getUTCDate()),
  D: (count) => ({
    source: count === 1 ? '\\d{1,3}' : `\\d{${count}}`,
    read: (text) => ({ dayOfYear: Number(text) }),
    print: (date) => pad(Math.floor((date.getTime() - startOfYear(date)) / 86_400_000) + 1, count),
  }),
  H: (count) => number(count, 'hour', (date) => date.getUTCHours()),
  h: (count) =>
    number(
      count,
      'hour',
      (date) => date.getUTCHours() % 12 || 12,
      (n) => n % 12,
    ),
  m: (count) => number(count, 'minute', (date) => date.getUTCMinutes()),
  s: (count) => number(count, 'second', (date) => date.getUTCSeconds()),
  S: (count) => ({
    source: `\\d{${count}}`,
    read: (text) => ({ milli: Math.floor(Number(`0.${text}`) * 1000 + 1e-7) }),
    print: (date) => pad(date.getUTCMilliseconds(), 3).padEnd(count, '0').slice(0, count),
  }),
  a: () => ({
    source: 'AM|PM',
    read: (text) => ({ half: text }),
    print: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  }),
  E: (count) => named(count > 3 ? DAYS : short(DAYS), undefined, (date: Date) => date.getUTCDay()),
  Z: (count) =>
    zone(count > 3, count > 3 ? '+00:00' : '+0000', count > 3 ? '[+-]\\d\\d:\\d\\d' : '[+-]\\d{4}'),
  X: (count) =>
    zone(
      count > 2,
      'Z',
      count > 2 ? 'Z|[+-]\\d\\d:\\d\\d' : count === 2 ? 'Z|[+-]\\d{4}' : 'Z|[+-]\\d\\d(?:\\d\\d)?',
    ),
  x: (count) =>
    zone(
      count > 2,
      count > 2 ? '+00:00' : '+0000',
      count > 2 ? '[+-]\\d\\d:\\d\\d' : count === 2 ? '[+-]\\d{4}' : '[+-]\\d\\d(?:\\d\\d)?',
    ),
  z: () => zone(true, 'Z', 'Z|[A-Za-z][A-Za-z_/+0-9-]*'),
}
LETTERS['u'] = LETTERS['y']!
LETTERS['V'] = LETTERS['z']!

const literal = (text: string): Part => ({ source: RegExp.escape(text), print: () => text })

/** Letters the dialect has, those included that are refused here. */
const KNOWN_LETTERS = 'GuyDMLdQqYwWEecFahKkHmsSAnNVvzOXxZpBg'

function checkLetters(pattern: string) {
  const letters = pattern.replaceAll(/'(?:[^']|'')*'/g, '').match(/[A-Za-z]/g) ?? []
  const unknown = letters.find((letter) => !KNOWN_LETTERS.includes(letter))
  if (unknown === undefined) return
  const reason = `Unknown pattern letter: ${unknown}`
  throw failures.illegalArgument(`Invalid format: [${pattern}]: ${reason}`, {
    causedBy: { type: 'illegal_argument_exception', reason },
  })
}

/**
 * A pattern such as `yyyy/MM/dd HH:mm:ss`, with '…' for words and […] for optional parts.
 * @throws {EngineFailure} unsupported_feature_exception for a letter that is refused, and
 *   illegal_argument_exception for one the dialect has not.
 */
export function compilePattern(pattern: string): DateFormat {
  checkLetters(pattern)
  const parts: Part[] = []
  let source = ''
  const group = (part: Part) => {
    parts.push(part)
    source += `(${part.source})`
  }
  for (const [token] of pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g)) {
    if (token === '[') source += '(?:'
    else if (token === ']') source += ')?'
    else if (token.startsWith("'"))
      group(literal(token === "''" ? "'" : token.slice(1, -1).replaceAll("''", "'")))
    else if (!/[A-Za-z]/.test(token)) group(literal(token))
    else {
      const letter = LETTERS[token[0] ?? ''] // one letter: no name of a prototype is that short
      if (!letter)
        throw unsupported('mapping.format', `date format [${pattern}]: pattern letter [${token}]`)
      group(letter(token.length))
    }
  }
  const regex = compileRegex(source, pattern)
  return {
    parse(text) {
      const match = regex.exec(text)
      if (!match) return undefined
      const found: Record<string, number | string> = {}
      for (const [i, part] of parts.entries()) {
        const piece = match[i + 1]
        if (piece !== undefined && part.read) Object.assign(found, part.read(piece))
      }
      const { half, ...date } = found
      if (half === 'PM') date['hour'] = Number(date['hour'] ?? 0) + 12
      return date
    },
    print: (ms, offsetMs) => {
      const date = new Date(ms + offsetMs)
      return parts.map((part) => part.print(date, offsetMs)).join('')
    },
  }
}

function compileRegex(source: string, pattern: string) {
  try {
    return new RegExp(`^${source}$`)
  } catch {
    // Only unbalanced brackets can do this: every other part of the expression is ours.
    throw unsupported('mapping.format', `date format [${pattern}]: unbalanced [ ]`)
  }
}
