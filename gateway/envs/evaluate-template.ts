/** What stands where the text could not be read or computed; the column is 1-based. */
export interface TemplateProblem {
  column: number
  message: string
}

type Result = { text: string } | { problem: TemplateProblem }
/** The value behind a name, if it has one. */
export type Lookup = (name: string) => string | undefined

const NAME = /[A-Za-z_][\w.-]*/y
const VARIABLE = /\$\{\s*([A-Za-z_][\w.-]*)\s*\}/g

/** The only functions a header may call (decisions.md 19). They throw a plain message. */
const FUNCTIONS: Readonly<Record<string, (text: string) => string>> = {
  btoa(text) {
    // Like the browser's: it takes bytes, and says so.
    if (/[^\0-\xff]/.test(text)) throw new Error('btoa() takes characters up to U+00FF only')
    return Buffer.from(text, 'latin1').toString('base64')
  },
  atob(text) {
    const packed = text.replaceAll(/[\t\n\f\r ]/g, '')
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(packed))
      throw new Error('atob() takes base64 text only')
    return Buffer.from(packed, 'base64').toString('latin1')
  },
  encodeURIComponent(text) {
    if (!text.isWellFormed()) throw new Error('encodeURIComponent() takes whole characters only')
    return encodeURIComponent(text)
  },
}

class Stop extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** Replaces `${NAME}` in a text. What has no value is a problem. */
export function substitute(text: string, lookup: Lookup): Result {
  return attempt(() =>
    text.replace(VARIABLE, (_written, name: string, at: number) => valueOf(name, at, lookup)),
  )
}

/**
 * Evaluates a header value. In back-ticks it is a template: `${…}` holds calls of `btoa`, `atob` and
 * `encodeURIComponent`, names, `${NAME}`, quoted texts, and these joined by `+`. Without back-ticks
 * only `${NAME}` is replaced. Nothing of it is ever run as a script.
 */
export function evaluateHeader(value: string, lookup: Lookup): Result {
  const start = value.search(/\S/)
  const end = value.trimEnd().length
  const isTemplate = end - start >= 2 && value[start] === '`' && value[end - 1] === '`'
  return isTemplate
    ? attempt(() => readTemplate(value.slice(0, end - 1), start + 1, lookup))
    : substitute(value, lookup)
}

function attempt(work: () => string): Result {
  try {
    return { text: work() }
  } catch (problem) {
    if (!(problem instanceof Stop)) throw problem
    return { problem: { column: problem.at + 1, message: problem.message } }
  }
}

function valueOf(name: string, at: number, lookup: Lookup) {
  const value = lookup(name)
  if (value === undefined) throw new Stop(at, `There is no variable "${name}"`)
  return value
}

/** Text up to the end of `source`, its `${…}` evaluated. */
function readTemplate(source: string, start: number, lookup: Lookup): string {
  let at = start
  let text = ''
  while (at < source.length) {
    if (source[at] === '\\' && at + 1 < source.length) {
      text += source[at + 1]
      at += 2
    } else if (source[at] === '`') throw new Stop(at, 'A back-tick ends the template early')
    else if (source.startsWith('${', at)) {
      const inner = readSum({ source, lookup, at: at + 2 })
      if (source[inner.at] !== '}') throw new Stop(inner.at, expected('} or +', source, inner.at))
      text += inner.text
      at = inner.at + 1
    } else text += source[at++]
  }
  return text
}

interface Reader {
  source: string
  lookup: Lookup
  at: number
}
interface Read {
  text: string
  at: number
}

/** Terms joined by `+`; `depth` counts the brackets around them. */
function readSum(reader: Reader, depth = 0): Read {
  let { text, at } = readTerm(reader, depth)
  for (at = skipBlanks(reader.source, at); reader.source[at] === '+';) {
    const next = readTerm({ ...reader, at: at + 1 }, depth)
    text += next.text
    at = skipBlanks(reader.source, next.at)
  }
  return { text, at }
}

/** Brackets deeper than this are no header any more. */
const DEEPEST = 20

function readTerm(reader: Reader, depth: number): Read {
  const { source, lookup } = reader
  const at = skipBlanks(source, reader.at)
  const char = source[at] ?? ''
  if (depth > DEEPEST) throw new Stop(at, 'The expression is nested too deeply')
  if (char === '"' || char === "'") return readQuoted({ ...reader, at })
  if (source.startsWith('${', at)) {
    const end = source.indexOf('}', at)
    const name = source.slice(at + 2, end).trim()
    if (end < 0) throw new Stop(at, 'This ${ is not closed')
    return { text: valueOf(name, at, lookup), at: end + 1 }
  }
  NAME.lastIndex = at
  const name = NAME.exec(source)?.[0]
  if (name === undefined)
    throw new Stop(at, expected('a name, a quoted text or a call', source, at))
  const open = skipBlanks(source, at + name.length)
  if (source[open] !== '(') return { text: valueOf(name, at, lookup), at: at + name.length }
  const call = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (!call)
    throw new Stop(at, `There is no function "${name}": ${Object.keys(FUNCTIONS).join(', ')} exist`)
  const argument = readSum({ ...reader, at: open + 1 }, depth + 1)
  if (source[argument.at] !== ')')
    throw new Stop(argument.at, expected(') or +', source, argument.at))
  try {
    return { text: call(argument.text), at: argument.at + 1 }
  } catch (problem) {
    throw new Stop(at, problem instanceof Error ? problem.message : String(problem))
  }
}

/** A quoted text; `${NAME}` counts in it, too, and a back-slash takes the next character as it is. */
function readQuoted({ source, lookup, at }: Reader): Read {
  const quote = source[at]
  let text = ''
  for (let here = at + 1; here < source.length;) {
    if (source[here] === quote) return { text, at: here + 1 }
    if (source[here] === '\\') {
      text += source[here + 1] ?? ''
      here += 2
      continue
    }
    VARIABLE.lastIndex = here
    const variable = source.startsWith('${', here) ? VARIABLE.exec(source) : null
    if (variable?.index === here) {
      text += valueOf(variable[1] ?? '', here, lookup)
      here += variable[0].length
    } else text += source[here++]
  }
  throw new Stop(at, 'This quoted text is not closed')
}

function skipBlanks(source: string, at: number) {
  while (source[at] === ' ' || source[at] === '\t') at++
  return at
}

const expected = (what: string, source: string, at: number) =>
  at >= source.length
    ? `Expected ${what} before the end`
    : `Expected ${what}, found "${source[at]}"`
