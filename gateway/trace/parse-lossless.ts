/** A number that a double may not hold: many digits, or a huge exponent. */
const LONG_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/

/**
 * What a text of JSON, or of JSON lines, holds; nothing when it is neither a map, a list nor lines.
 * Numbers that a double cannot hold come as raw JSON, with all their digits.
 */
export function parseLossless(text: string): unknown {
  const first = /\S/.exec(text)?.[0]
  if (first !== '{' && first !== '[') return undefined
  const parse = LONG_NUMBER.test(text) ? parseExact : JSON.parse
  try {
    return parse(text)
  } catch {
    // It may still be JSON lines.
  }
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => parse(line))
  } catch {
    // Text that only begins like JSON is compared as text.
    return undefined
  }
}

const parseExact = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === 'number' && source !== String(value) ? JSON.rawJSON(source) : value,
  )
