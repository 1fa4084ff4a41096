import { Scalar } from 'yaml'

/** A piece of a script's text: its offset there, and where it stands in the file; 1-based. */
export type ScriptPlace = readonly [offset: number, line: number, column: number]

/** Where a script begins, and its pieces where it is not written line for line. */
export interface ScriptPlacing {
  line: number
  column: number
  places?: readonly ScriptPlace[]
}

type ToPlace = (offset: number) => { line: number; col: number }

/**
 * Follows a script's text through the way it is written: indented, folded, quoted, escaped.
 * Nothing when the two do not match, as with a text that was changed after it was read.
 */
export function placeScript(
  document: string,
  node: Scalar,
  text: string,
  toPlace: ToPlace,
): ScriptPlacing | undefined {
  if (!node.range) return undefined
  const [start, end] = node.range
  const written = document.slice(start, end)
  const isBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED
  const pieces = isBlock ? blockPieces(written, text) : flowPieces(written, text, node.type)
  const [first] = pieces ?? []
  if (!pieces || !first) return undefined
  const places = pieces.map(([at, from]): ScriptPlace => {
    const { line, col } = toPlace(start + from)
    return [at, line, col]
  })
  const [, line, column] = places[0] ?? [0, 1, 1]
  // Leading empty lines come before the first piece.
  const top = line - (text.slice(0, first[0]).match(/\n/g)?.length ?? 0)
  return isLineForLine(text, places, top, column) ? { line: top, column } : { line, column, places }
}

/** Offsets where pieces begin: in the text, and in the scalar as it is written. */
type Piece = [at: number, from: number]

/** Whether each line stands in a line of its own, all of them behind the same column. */
function isLineForLine(text: string, places: readonly ScriptPlace[], top: number, column: number) {
  const rows = new Map<number, number>()
  let start = 0
  for (const [row, line] of text.split('\n').entries()) {
    rows.set(start, row)
    start += line.length + 1
  }
  return places.every(([at, line, pieceColumn]) => {
    const row = rows.get(at)
    return row !== undefined && line === top + row && pieceColumn === column
  })
}

/** Lines of a block stand as they are behind their indentation; only what is between them folds. */
function blockPieces(written: string, text: string): Piece[] | undefined {
  const pieces: Piece[] = []
  const spaces = (line: string) => /^ */.exec(line)?.[0].length ?? 0
  const isFull = (line: string) => line.trim() !== ''
  const firstRead = text.split('\n').find(isFull)
  let from = written.indexOf('\n') + 1
  const lines = written.slice(from).split('\n')
  const firstWritten = lines.find(isFull)
  if (firstRead === undefined || firstWritten === undefined) return undefined
  const indent = spaces(firstWritten) - spaces(firstRead)
  let at = 0
  for (const line of lines) {
    const content = line.slice(indent).replace(/\r$/, '')
    if (isFull(line)) {
      while (!text.startsWith(content, at) && /\s/.test(text.charAt(at))) at++
      if (!text.startsWith(content, at)) return undefined
      pieces.push([at, from + indent])
      at += content.length
    }
    from += line.length + 1
  }
  return pieces
}

/** Plain and quoted texts: line breaks fold, and between double quotes there are escapes. */
function flowPieces(written: string, text: string, type: Scalar['type']): Piece[] | undefined {
  const isDouble = type === Scalar.QUOTE_DOUBLE
  const isSingle = type === Scalar.QUOTE_SINGLE
  const isQuoted = isDouble || isSingle
  const last = isQuoted ? written.lastIndexOf(isDouble ? '"' : "'") : written.trimEnd().length
  let from = isQuoted ? 1 : 0
  const pieces: Piece[] = [[0, from]]
  let at = 0
  let isJoined = true

  const emit = (read: string, length: number, isEven: boolean) => {
    if (!text.startsWith(read, at)) return false
    if (!isJoined) pieces.push([at, from])
    at += read.length
    from += length
    isJoined = isEven
    return true
  }

  const next = (pattern: RegExp) => {
    pattern.lastIndex = from
    return pattern.exec(written)?.[0]
  }
  while (from < last) {
    const plain = next(PLAIN)?.slice(0, last - from)
    const fold = plain === undefined ? next(FOLD) : undefined
    const escape = isDouble && written[from] === '\\' ? next(ESCAPE) : undefined
    const joint = isDouble && escape === undefined ? next(ESCAPED_BREAK) : undefined
    let isRight: boolean
    if (plain !== undefined) isRight = emit(plain, plain.length, true)
    else if (fold !== undefined) {
      const breaks = breaksIn(fold)
      isRight = emit(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1), fold.length, false)
    } else if (escape !== undefined) isRight = emit(unescaped(escape), escape.length, false)
    else if (joint !== undefined)
      isRight = emit('\n'.repeat(breaksIn(joint) - 1), joint.length, false)
    else if (isSingle && written[from] === "'") isRight = emit("'", 2, false)
    else isRight = emit(written.charAt(from), 1, true)
    if (!isRight) return undefined
  }
  return at === text.length ? pieces : undefined
}

const breaksIn = (text: string) => text.split('\n').length - 1

/** Characters that stand for themselves wherever they are. */
const PLAIN = /[^\\'\s]+/y
const FOLD = /[ \t]*(?:\r?\n[ \t]*)+/y
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^\r\n])/y
const ESCAPED_BREAK = /\\\r?\n(?:[ \t]*\r?\n)*[ \t]*/y

const ESCAPES: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
}

function unescaped(escape: string): string {
  const code = escape.slice(2)
  if (code !== '') return String.fromCodePoint(parseInt(code, 16))
  const letter = escape.charAt(1)
  return ESCAPES[letter] ?? letter
}
