import { type Document, type Scalar, visit } from 'yaml'

/**
 * Keeps the digits of numbers that a double cannot hold (decisions.md 30): they become raw JSON,
 * which `JSON.stringify` writes as they were; all others become plain numbers. The document must
 * have been parsed with `intAsBigInt`.
 */
export function keepDigits(doc: Document) {
  visit(doc, {
    Scalar(key, node) {
      // Keys are texts in the end; a big integer gives all of its digits as text.
      if (key !== 'key') node.value = exact(node)
    },
  })
}

function exact({ value, source }: Scalar): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value))
  if (typeof value !== 'number' || source === undefined || !LONG_DECIMAL.test(source)) return value
  return String(value) === source ? value : JSON.rawJSON(source)
}

/** A decimal in the form of JSON with more digits than a double holds for sure. */
const LONG_DECIMAL = /^-?(?=[\d.]{17})(?:0|[1-9]\d*)\.\d+$/

/** Whether a value is a number with more digits than JavaScript's own can have. */
export const isExactNumber = (value: unknown): value is { rawJSON: string } => JSON.isRawJSON(value)

/** A copy that shares nothing; numbers with all their digits stay what they are. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one)]))
}
