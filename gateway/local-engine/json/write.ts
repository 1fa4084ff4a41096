import { parseJson, parseJsonText } from './parse.ts'
import { isFloat, isRaw, type FloatValue } from './values.ts'

/**
 * The number with the fewest digits that reads back as the same 32-bit float; of two that are as
 * near, the one whose last digit is even.
 */
export function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return evenOfTwo(value, short, digits)
  }
  return Number(value.toPrecision(9))
}

/** Halves have been rounded up, away from zero: down again when that gives an even digit. */
function evenOfTwo(value: number, short: number, digits: number): number {
  const longer = value.toExponential(digits)
  if (!/[02468]5e/.test(longer)) return short
  const [mantissa = '', exponent = ''] = value.toExponential(60).split('e')
  const sign = value < 0 ? 1 : 0
  // One more for the point; what follows has to be a half exactly.
  const kept = mantissa.slice(0, sign + digits + 1)
  return /^50*$/.test(mantissa.slice(kept.length)) ? Number(`${kept}e${exponent}`) : short
}

/** A number of float or double kind as the engine writes it: `1.0`, `0.5`, `1.2E7`. */
export function writeFloat({ float, width }: FloatValue): string {
  if (!Number.isFinite(float)) return `"${float}"`
  const value = width === 32 ? shortestFloat(float) : float
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e')
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`
  }
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Raw JSON inside becomes plain values whose numbers keep their digits; the rest is as it was. */
export function expandRaw(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isFloat(value)) return value
  if (isRaw(value)) {
    const { rawJson } = value
    // A number kept as text is where this ends.
    if (typeof rawJson === 'string' && /^[-\d]/.test(rawJson)) return value
    return typeof rawJson === 'string'
      ? parseJsonText(rawJson, { keepNumberText: true })
      : parseJson(rawJson, { keepNumberText: true })
  }
  if (Array.isArray(value)) return value.map(expandRaw)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expandRaw(one)]))
}

/** JSON as bytes: raw JSON is copied, bigint written as digits, members that are undefined left out. */
export function writeJson(value: unknown, pretty = false): Buffer {
  const chunks: Uint8Array[] = []
  let buffered = ''
  const copy = (bytes: Uint8Array) => {
    chunks.push(Buffer.from(buffered), bytes)
    buffered = ''
  }

  function write(value: unknown, indent: string) {
    if (typeof value === 'string') buffered += JSON.stringify(value)
    else if (typeof value === 'number') buffered += Number.isFinite(value) ? value : `"${value}"`
    else if (typeof value === 'boolean' || typeof value === 'bigint') buffered += value
    else if (typeof value !== 'object' || value === null) buffered += 'null'
    else if (isFloat(value)) buffered += writeFloat(value)
    else if (isRaw(value)) {
      if (typeof value.rawJson === 'string') buffered += value.rawJson
      else copy(value.rawJson)
    } else if (Array.isArray(value)) writeArray(value, indent)
    else writeObject(value, indent)
  }

  function writeArray(values: readonly unknown[], indent: string) {
    if (values.length === 0) {
      buffered += pretty ? '[ ]' : '[]'
      return
    }
    const inner = `${indent}  `
    buffered += '['
    for (const [i, one] of values.entries()) {
      if (i > 0) buffered += ','
      if (pretty) buffered += `\n${inner}`
      write(one, inner)
    }
    buffered += pretty ? `\n${indent}]` : ']'
  }

  function writeObject(object: object, indent: string) {
    const inner = `${indent}  `
    let first = true
    buffered += '{'
    for (const [key, one] of Object.entries(object)) {
      if (one === undefined) continue
      if (!first) buffered += ','
      first = false
      if (pretty) buffered += `\n${inner}`
      buffered += JSON.stringify(key)
      buffered += pretty ? ' : ' : ':'
      write(one, inner)
    }
    if (first) buffered += pretty ? ' }' : '}'
    else buffered += pretty ? `\n${indent}}` : '}'
  }

  write(pretty ? expandRaw(value) : value, '')
  if (pretty) buffered += '\n'
  const last = Buffer.from(buffered)
  return chunks.length === 0 ? last : Buffer.concat([...chunks, last])
}
