declare global {
  // In Node 24 and later, but not yet in TypeScript's own library (7.0).
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, at: { source: string }) => unknown,
    ): unknown
    rawJSON(text: string): object
    isRawJSON(value: unknown): value is { rawJSON: string }
  }
}

/** A number of a JSON text: plain, or kept as text where a double would change its digits. */
export type Numeric = number | { rawJSON: string }

/** What may hold a number whose text JavaScript would not write back; may be wrong, never misses. */
const MAY_CHANGE = /\d[\d.]{15}|\.\d*0(?!\d)|\d[eE]|-0(?![.\d])|0\.0{6}/

/**
 * Parses JSON so that `JSON.stringify` writes every number back with the digits it had. Numbers
 * come out plain, except the few that JavaScript would write otherwise: read those with `toNumber`.
 * @throws {SyntaxError} on malformed text.
 */
export const parseJson = (text: string): unknown =>
  MAY_CHANGE.test(text)
    ? JSON.parse(text, (_key, value, { source }) =>
        typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
      )
    : JSON.parse(text)

/** Whether a parsed value is a number, exact ones included. */
export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'number' || JSON.isRawJSON(value)

/** The value to reckon with; loses what a double cannot hold. */
export const toNumber = (value: Numeric) =>
  typeof value === 'number' ? value : Number(value.rawJSON)

/** The digits as they were written. */
export const toDigits = (value: Numeric) =>
  typeof value === 'number' ? String(value) : value.rawJSON

/** How many lists and objects of a JSON text lie inside one another at most. */
export function nestingDepth(text: string) {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let position = 0; position < text.length; position++) {
    const sign = text[position]
    if (inString && sign === '\\') position++
    else if (sign === '"') inString = !inString
    else if (inString) continue
    else if (sign === '{' || sign === '[') deepest = Math.max(deepest, ++depth)
    else if (sign === '}' || sign === ']') depth--
  }
  return deepest
}
