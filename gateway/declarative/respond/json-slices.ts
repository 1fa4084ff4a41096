import { errors } from '../../errors.ts'

/** A member of a JSON object: its name, and where the text of its value lies. */
export interface MemberSlice {
  name: string
  start: number
  end: number
}

const QUOTE = 34
const BACKSLASH = 92
const isBlank = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

/** The members of the object that starts at `at`, without reading their values. */
export function* membersAt(text: string, at: number): Generator<MemberSlice> {
  let position = skipBlanks(text, expect(text, skipBlanks(text, at), '{'))
  while (text[position] !== '}') {
    if (text[position] !== '"') throw malformed(position)
    const nameEnd = endOfString(text, position)
    const name: unknown = JSON.parse(text.slice(position, nameEnd))
    const start = skipBlanks(text, expect(text, skipBlanks(text, nameEnd), ':'))
    const end = endOfValue(text, start)
    yield { name: String(name), start, end }
    position = skipSeparator(text, end, '}')
  }
}

/** The texts of the elements of the list that starts at `at`. */
export function elementsAt(text: string, at: number): string[] {
  const elements: string[] = []
  let position = skipBlanks(text, expect(text, skipBlanks(text, at), '['))
  while (text[position] !== ']') {
    const end = endOfValue(text, position)
    elements.push(text.slice(position, end))
    position = skipSeparator(text, end, ']')
  }
  return elements
}

/** The position after the value that starts at `at`. Looks at brackets and quotes only. */
export function endOfValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return endOfString(text, at)
  if (first !== '{' && first !== '[') return endOfLiteral(text, at)
  let depth = 0
  for (let position = at; position < text.length; position++) {
    switch (text.charCodeAt(position)) {
      case QUOTE:
        position = endOfString(text, position) - 1
        break
      case 123: // {
      case 91: // [
        depth++
        break
      case 125: // }
      case 93: // ]
        if (--depth === 0) return position + 1
    }
  }
  throw malformed(text.length)
}

/** The position after the string whose opening quote is at `at`. */
export function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end + 1
  }
  throw malformed(text.length)
}

function endOfLiteral(text: string, at: number) {
  let end = at
  while (end < text.length && !/[\s,\]}]/.test(text.charAt(end))) end++
  if (end === at) throw malformed(at)
  return end
}

function skipSeparator(text: string, at: number, close: string) {
  const position = skipBlanks(text, at)
  if (text[position] === ',') return skipBlanks(text, position + 1)
  if (text[position] === close) return position
  throw malformed(position)
}

/** The first position at or after `at` that is not blank. */
export function skipBlanks(text: string, at: number) {
  let position = at
  while (isBlank(text.charCodeAt(position))) position++
  return position
}

function expect(text: string, at: number, sign: string) {
  if (text[at] !== sign) throw malformed(at)
  return at + 1
}

const malformed = (position: number) =>
  errors.engineProtocol(
    `The engine's answer is not the JSON of a search (at character ${position})`,
  )
