import { isUtf8 } from 'node:buffer'
import { EngineFailure, failures, type BodyPosition } from '../errors.ts'
import { raw } from './values.ts'

/** What a request body may hold once read. */
export type JsonObject = Record<string, unknown>

/** Where in an object or array: its brackets, a name in it, or the value of a name or index. */
export type Place =
  'start' | 'end' | { readonly name: string } | { readonly value: string | number }

/** Says where a part of a body stands; undefined for what is no part of it. */
export type PositionOf = (part: object, place?: Place) => BodyPosition | undefined

/** Offsets of what `Place` names. */
interface Places {
  readonly start: number
  end: number
  readonly names: Map<string, number>
  readonly values: Map<string | number, number>
}

interface JsonReading {
  /**
   * Keeps a number as raw JSON where JavaScript would write it otherwise (`1.0`, `1e3`, more
   * digits than a double has), so that writing it again changes nothing.
   */
  readonly keepNumberText?: boolean
}

const MAX_DEPTH = 1000

// The parser's state. Reading is synchronous and never calls out, so one is enough, and plain
// variables are three times as fast as a closure for every body.
let text = ''
let at = 0
let depth = 0
let keepNumberText = false
let places: Map<object, Places> | undefined

/**
 * Reads one JSON value: whole numbers a double cannot hold become bigint, a key that stands twice
 * in an object is an error, anything after the value too.
 * @throws {EngineFailure} json_parse_exception with line and column.
 */
export function parseJson(bytes: Uint8Array, reading: JsonReading = {}): unknown {
  if (!isUtf8(bytes)) throw failures.jsonParse('The body is not valid UTF-8')
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return parseJsonText(buffer.toString('utf8'), reading)
}

/** As `parseJson`, over text; columns count its characters. */
export function parseJsonText(source: string, reading: JsonReading = {}): unknown {
  text = source
  at = source.charCodeAt(0) === 0xfeff ? 1 : 0
  depth = 0
  keepNumberText = reading.keepNumberText ?? false
  try {
    const value = readValue()
    skipSpace()
    if (at < text.length) throw unexpected('the end of the body')
    return value
  } finally {
    places = undefined
    text = '' // a body of megabytes must not live on as the parser's state
  }
}

/**
 * Makes a function that says where the parts of a value read from `bytes` stand. Nothing is
 * computed before it is first called: only errors ask.
 */
export function createPositions(bytes: Uint8Array, value: unknown): PositionOf {
  let source = ''
  let found: Map<object, Places> | undefined
  return (part, place = 'start') => {
    if (!found) {
      source = Buffer.from(bytes).toString('utf8')
      found = locate(source, value)
    }
    const known = found.get(part)
    const offset = known && offsetOf(known, place)
    return offset === undefined ? undefined : positionIn(source, offset)
  }
}

function offsetOf(known: Places, place: Place) {
  if (typeof place === 'string') return known[place]
  return 'name' in place ? known.names.get(place.name) : known.values.get(place.value)
}

/** Reads the body once more, keeping the offsets, and hands them to the parts of `value`. */
function locate(source: string, value: unknown) {
  const ofTwins = new Map<object, Places>()
  places = ofTwins
  const again = parseJsonText(source)
  const found = new Map<object, Places>()
  const walk = (one: unknown, twin: unknown) => {
    if (typeof one !== 'object' || one === null || typeof twin !== 'object' || twin === null) return
    const known = ofTwins.get(twin)
    if (known) found.set(one, known)
    const twins = new Map(Object.entries(twin))
    for (const [key, inner] of Object.entries(one)) walk(inner, twins.get(key))
  }
  walk(value, again)
  return found
}

/** Begins to note the places of an object or array; undefined when nobody asked for them. */
function notePlaces(part: object): Places | undefined {
  if (!places) return undefined
  const noted: Places = { start: at, end: at, names: new Map(), values: new Map() }
  places.set(part, noted)
  return noted
}

const positionIn = (source: string, offset: number): BodyPosition => {
  const lineStart = source.lastIndexOf('\n', offset - 1) + 1
  let line = 1
  for (let i = source.indexOf('\n'); i >= 0 && i < lineStart; i = source.indexOf('\n', i + 1))
    line++
  return { line, col: offset - lineStart + 1 }
}

function failAt(offset: number, reason: string) {
  const position = positionIn(text, offset)
  return failures.jsonParse(`${reason} at line ${position.line}, column ${position.col}`, {
    extra: { ...position },
  })
}

function unexpected(wanted: string): EngineFailure {
  if (at < text.length) {
    const found = String.fromCodePoint(text.codePointAt(at) ?? 0)
    return failAt(
      at,
      `Unexpected character ('${found}' (code ${found.codePointAt(0)})): expected ${wanted}`,
    )
  }
  const position = positionIn(text, at)
  return new EngineFailure(
    400,
    'unexpected_end_of_input_exception',
    `Unexpected end-of-input: expected ${wanted} at line ${position.line}, column ${position.col}`,
    { extra: { ...position } },
  )
}

function skipSpace() {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
    at++
  }
}

function readValue(): unknown {
  skipSpace()
  const code = text.charCodeAt(at)
  if (code === 34) return readString()
  if (code === 123) return readObject()
  if (code === 91) return readArray()
  if (code === 45 || (code >= 48 && code <= 57)) return readNumber()
  if (code === 116) return readWord('true', true)
  if (code === 102) return readWord('false', false)
  if (code === 110) return readWord('null', null)
  throw unexpected('a value')
}

function readWord<T>(word: string, value: T): T {
  if (!text.startsWith(word, at)) throw unexpected(`'${word}'`)
  at += word.length
  return value
}

function descend() {
  if (++depth > MAX_DEPTH)
    throw failAt(at, `Document nesting depth (${depth}) exceeds the maximum allowed (${MAX_DEPTH})`)
}

function readObject(): JsonObject {
  descend()
  const result: JsonObject = {}
  const noted = notePlaces(result)
  at++
  skipSpace()
  if (text.charCodeAt(at) === 125) {
    if (noted) noted.end = at
    at++
    depth--
    return result
  }
  for (;;) {
    skipSpace()
    if (text.charCodeAt(at) !== 34) throw unexpected('a field name in double quotes')
    const keyAt = at
    const key = readString()
    if (Object.hasOwn(result, key)) throw failAt(keyAt, `Duplicate field '${key}'`)
    skipSpace()
    if (text.charCodeAt(at) !== 58) throw unexpected("':' after the field name")
    at++
    if (noted) {
      skipSpace()
      noted.names.set(key, keyAt)
      noted.values.set(key, at)
    }
    const value = readValue()
    if (key === '__proto__')
      Object.defineProperty(result, key, { value, enumerable: true, configurable: true })
    else result[key] = value
    skipSpace()
    const code = text.charCodeAt(at)
    if (code === 44) at++
    else if (code === 125) {
      if (noted) noted.end = at
      at++
      depth--
      return result
    } else throw unexpected("',' or '}'")
  }
}

function readArray(): unknown[] {
  descend()
  const result: unknown[] = []
  const noted = notePlaces(result)
  at++
  skipSpace()
  if (text.charCodeAt(at) === 93) {
    if (noted) noted.end = at
    at++
    depth--
    return result
  }
  for (;;) {
    if (noted) {
      skipSpace()
      noted.values.set(result.length, at)
    }
    result.push(readValue())
    skipSpace()
    const code = text.charCodeAt(at)
    if (code === 44) at++
    else if (code === 93) {
      if (noted) noted.end = at
      at++
      depth--
      return result
    } else throw unexpected("',' or ']'")
  }
}

function readNumber() {
  const start = at
  let code = text.charCodeAt(at)
  if (code === 45) code = text.charCodeAt(++at)
  const first = at
  while (code >= 48 && code <= 57) code = text.charCodeAt(++at)
  const digits = at - first
  if (digits === 0) throw unexpected('a digit')
  if (digits > 1 && text.charCodeAt(first) === 48)
    throw failAt(first, 'Invalid numeric value: Leading zeroes not allowed')
  let whole = true
  if (code === 46) {
    whole = false
    at++
    readDigits()
    code = text.charCodeAt(at)
  }
  if (code === 101 || code === 69) {
    whole = false
    code = text.charCodeAt(++at)
    if (code === 43 || code === 45) at++
    readDigits()
  }
  if (whole && digits < 16) {
    let value = 0
    for (let i = first; i < at; i++) value = value * 10 + text.charCodeAt(i) - 48
    if (first === start) return value
    return value === 0 && keepNumberText ? raw('-0') : -value
  }
  const source = text.slice(start, at)
  const value = Number(source)
  if (whole && !Number.isSafeInteger(value)) return BigInt(source)
  return keepNumberText && String(value) !== source ? raw(source) : value
}

function readDigits() {
  const start = at
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57;) code = text.charCodeAt(++at)
  if (at === start) throw unexpected('a digit')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

function readString(): string {
  const start = ++at
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 34) return text.slice(start, at++)
    if (code === 92) break
    if (code < 32) throw failAt(at, `Illegal unquoted character (code ${code}) in a string`)
    if (Number.isNaN(code)) throw unexpected("a closing '\"'")
    at++
  }
  let result = text.slice(start, at)
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      at++
      return result
    }
    if (code < 32) throw failAt(at, `Illegal unquoted character (code ${code}) in a string`)
    if (Number.isNaN(code)) throw unexpected("a closing '\"'")
    if (code === 92) result += readEscape()
    else {
      const from = at
      let next = text.charCodeAt(++at)
      while (next !== 34 && next !== 92 && next >= 32) next = text.charCodeAt(++at)
      result += text.slice(from, at)
    }
  }
}

function readEscape() {
  const letter = text[++at] ?? ''
  const plain = ESCAPES[letter]
  if (plain !== undefined) {
    at++
    return plain
  }
  const hex = text.slice(at + 1, at + 5)
  if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex))
    throw failAt(at, `Unrecognized character escape '\\${letter}'`)
  at += 5
  return String.fromCharCode(Number.parseInt(hex, 16))
}
