import type { Dictionary } from './segment.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A term as it stands in a dictionary. */
export const encodeTerm = (term: string): Uint8Array => encoder.encode(term)

/** The term with that ordinal. */
export const termText = ({ bytes, offsets }: Dictionary, ordinal: number): string =>
  decoder.decode(bytes.subarray(offsets[ordinal], offsets[ordinal + 1]))

/** Byte order of term `ordinal` against `term`: negative when it comes before. */
export function compareTerm(dictionary: Dictionary, ordinal: number, term: Uint8Array): number {
  const { bytes, offsets } = dictionary
  const start = offsets[ordinal]!
  const length = offsets[ordinal + 1]! - start
  const shorter = Math.min(length, term.length)
  for (let i = 0; i < shorter; i++) {
    const difference = bytes[start + i]! - term[i]!
    if (difference !== 0) return difference
  }
  return length - term.length
}

/** The first ordinal whose term is not below `term`; `count` when there is none. */
export function lowerBound(dictionary: Dictionary, term: Uint8Array): number {
  let low = 0
  let high = dictionary.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTerm(dictionary, middle, term) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The ordinal of a term, or −1. */
export function findTerm(dictionary: Dictionary, term: Uint8Array): number {
  const ordinal = lowerBound(dictionary, term)
  return ordinal < dictionary.count && compareTerm(dictionary, ordinal, term) === 0 ? ordinal : -1
}

/** Whether term `ordinal` begins with `prefix`. */
export function beginsWith(dictionary: Dictionary, ordinal: number, prefix: Uint8Array): boolean {
  const { bytes, offsets } = dictionary
  const start = offsets[ordinal]!
  if (offsets[ordinal + 1]! - start < prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false
  return true
}

/** The first ordinal after those that begin with `prefix`. */
export function prefixEnd(dictionary: Dictionary, prefix: Uint8Array): number {
  let low = lowerBound(dictionary, prefix)
  let high = dictionary.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (beginsWith(dictionary, middle, prefix)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Orders by code point, which is the order of UTF-8 bytes. Well-formed text only: a lone surrogate
 * has no bytes of its own.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    const leftIsHigh = left >= 0xd800 && left < 0xe000
    const rightIsHigh = right >= 0xd800 && right < 0xe000
    return leftIsHigh === rightIsHigh ? left - right : leftIsHigh ? 1 : -1
  }
  return a.length - b.length
}

/** Sorts distinct terms in place, in dictionary order. */
export function sortTerms(terms: string[]): string[] {
  // The built-in order is by UTF-16 units, which differs only where surrogates are.
  return terms.some((term) => /[\uD800-\uDFFF]/.test(term))
    ? terms.toSorted(compareCodePoints)
    : terms.toSorted()
}

/** Packs terms that are in dictionary order already. */
export function packTerms(sorted: readonly string[]): Dictionary {
  const offsets = new Int32Array(sorted.length + 1)
  let bytes = new Uint8Array(Math.max(64, sorted.length * 8))
  let end = 0
  for (let i = 0; i < sorted.length; i++) {
    const term = sorted[i]!
    if (bytes.length < end + term.length * 3) {
      const wider = new Uint8Array(bytes.length * 2 + term.length * 3)
      wider.set(bytes)
      bytes = wider
    }
    end += encoder.encodeInto(term, bytes.subarray(end)).written
    offsets[i + 1] = end
  }
  return { count: sorted.length, bytes: bytes.slice(0, end), offsets }
}
