/** A mistake in an expression, or a value it cannot work with. Offsets count UTF-16 units. */
export class ExpressionError extends Error {
  readonly start: number
  readonly end: number

  constructor(message: string, { start, end }: { start: number; end: number }) {
    super(message)
    this.name = 'ExpressionError'
    this.start = start
    this.end = end
  }
}

/** One word, number, text or sign of an expression. */
export interface Token {
  kind: 'number' | 'text' | 'name' | 'sign' | 'end'
  /** The token as written; of a text, its value without quotes and escapes. */
  text: string
  start: number
  end: number
}

const BLANK = /\s+/y
const NUMBER = /\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NAME = /\$?[A-Za-z_][\w]*/y
const SIGN = /&&|\|\||==|!=|<=|>=|\?\.|[<>!?:.,()[\]{}#-]/y
const TEXT = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`[^`]*`/y
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * Splits an expression; the last token has the kind `end`.
 * @throws {ExpressionError} at the first character that begins no token.
 */
export function toTokens(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  while (at < source.length) {
    const start = at
    const blank = take(BLANK)
    if (blank) {
      at += blank.length
      continue
    }
    const add = (kind: Token['kind'], raw: string, text = raw) => {
      at += raw.length
      tokens.push({ kind, text, start, end: at })
    }
    const quoted = take(TEXT)
    const number = take(NUMBER)
    const name = take(NAME)
    const sign = take(SIGN)
    if (quoted) add('text', quoted, unquote(quoted))
    else if (number) add('number', number)
    else if (name) add('name', name)
    else if (sign) add('sign', sign)
    else throw new ExpressionError(whyNoToken(source, start), { start, end: start + 1 })
  }
  tokens.push({ kind: 'end', text: '', start: at, end: at })
  return tokens
}

const unquote = (quoted: string) => {
  const inner = quoted.slice(1, -1)
  if (quoted.startsWith('`')) return inner
  return inner.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_all, code?: string, one?: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[one ?? ''] ?? one ?? ''),
  )
}

function whyNoToken(source: string, at: number) {
  const char = source[at] ?? ''
  if (`"'\``.includes(char)) return `The text that begins with ${char} is not closed`
  if (char === '=') return 'A single = means nothing here; compare with =='
  if (char === '$') return '$ must be followed by a field name such as $query'
  return `The character ${JSON.stringify(char)} has no meaning here`
}
