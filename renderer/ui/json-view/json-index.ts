import { type Scanned, scanNumber, scanString, scanWord } from './scan-token.ts'

/** What a node is, by its first character. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word'

/**
 * Where every value of a JSON text lies, in document order; node 0 is the root. Nothing is decoded,
 * so numbers, escapes, key order and repeated keys stay what the text says. Offsets are UTF-16
 * units; `keyStart` is -1 for items of arrays and for the root.
 */
export interface JsonIndex {
  readonly text: string
  /** One value a line: node 0 then stands for the list of them, and no bracket does. */
  readonly isLines: boolean
  readonly count: number
  readonly start: Int32Array
  readonly end: Int32Array
  readonly keyStart: Int32Array
  readonly keyEnd: Int32Array
  readonly depth: Int32Array
  readonly parent: Int32Array
  /** Place among its siblings, from 0. */
  readonly ordinal: Int32Array
  readonly childCount: Int32Array
  /** The first node behind the whole subtree; `count` when there is none. */
  readonly next: Int32Array
}

/** Why a text is no JSON, and where: 1-based line and column. */
export interface JsonProblem {
  message: string
  offset: number
  line: number
  column: number
}

/** Grows an index token by token, so that a long text can be read in slices. */
export interface JsonIndexer {
  /** Reads about `chars` further characters; true when the end or a problem was reached. */
  step: (chars: number) => boolean
  /** Share of the text that was read, 0 to 1. */
  progress: () => number
  /** Only meaningful once `step` said true. */
  result: () => { index: JsonIndex } | { problem: JsonProblem }
}

const COLUMNS = [
  'start', 'end', 'keyStart', 'keyEnd', 'depth', 'parent', 'ordinal', 'childCount', 'next',
] as const // prettier-ignore
type Columns = Record<(typeof COLUMNS)[number], Int32Array>

const makeColumns = (size: number): Columns => ({
  start: new Int32Array(size),
  end: new Int32Array(size),
  keyStart: new Int32Array(size),
  keyEnd: new Int32Array(size),
  depth: new Int32Array(size),
  parent: new Int32Array(size),
  ordinal: new Int32Array(size),
  childCount: new Int32Array(size),
  next: new Int32Array(size),
})

/** Kind of a node. */
export function kindOf(index: JsonIndex, node: number): JsonKind {
  if (index.isLines && node === 0) return 'array'
  const first = index.text[index.start[node] ?? 0]
  if (first === '{') return 'object'
  if (first === '[') return 'array'
  if (first === '"') return 'string'
  return first === 't' || first === 'f' || first === 'n' ? 'word' : 'number'
}

/** True when the text is read to its end in one go without the user noticing. */
export const isQuickToIndex = (text: string) => text.length <= 1_500_000

/** Indexes the whole text at once; about 10 ms a megabyte. */
export function indexJson(text: string, isLines = false) {
  const indexer = createJsonIndexer(text, isLines)
  while (!indexer.step(Infinity));
  return indexer.result()
}

/** Starts an index; nothing is read before the first `step`. `isLines` takes many values. */
export function createJsonIndexer(text: string, isLines = false): JsonIndexer {
  let columns = makeColumns(Math.max(64, text.length >> 4))
  let count = 0
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let open = -1 // the container we are in
  let expects: 'value' | 'valueOrEnd' | 'keyOrEnd' | 'key' | 'commaOrEnd' | 'nothing' = 'value'
  let keyStart = -1
  let keyEnd = -1
  let problem: JsonProblem | undefined

  const fail = (offset: number, message: string) => {
    problem ??= { message, offset, ...positionAt(text, offset) }
  }

  const isOver = () => problem !== undefined

  const grow = () => {
    const wider = makeColumns(columns.start.length * 2)
    for (const name of COLUMNS) wider[name].set(columns[name])
    columns = wider
  }

  const addNode = (start: number) => {
    if (count === columns.start.length) grow()
    columns.start[count] = start
    columns.keyStart[count] = keyStart
    columns.keyEnd[count] = keyEnd
    columns.parent[count] = open
    if (open >= 0) {
      columns.depth[count] = (columns.depth[open] ?? 0) + 1
      columns.ordinal[count] = columns.childCount[open] ?? 0
      columns.childCount[open] = (columns.childCount[open] ?? 0) + 1
    }
    keyStart = -1
    keyEnd = -1
    return count++
  }

  const closeNode = (node: number, end: number) => {
    columns.end[node] = end
    columns.next[node] = count
    open = columns.parent[node] ?? -1
    expects = open < 0 ? 'nothing' : isLines && open === 0 ? 'value' : 'commaOrEnd'
  }

  const readScalar = (char: string) => {
    const scan = char === '"' ? scanString : /[-\d]/.test(char) ? scanNumber : scanWord
    const scanned = scan(text, at)
    if ('problem' in scanned) return fail(scanned.at, scanned.problem)
    closeNode(addNode(at), scanned.end)
    at = scanned.end
  }

  const readKey = () => {
    const scanned: Scanned = text[at] === '"' ? scanString(text, at) : { at, problem: KEY }
    if ('problem' in scanned) return fail(scanned.at, scanned.problem)
    keyStart = at
    keyEnd = scanned.end
    at = skipBlank(text, keyEnd)
    if (text[at] !== ':') return fail(at, 'a colon must follow the key')
    at++
    expects = 'value'
  }

  const readValue = (char: string) => {
    if (char !== '{' && char !== '[') return readScalar(char)
    open = addNode(at)
    expects = char === '{' ? 'keyOrEnd' : 'valueOrEnd'
    at++
  }

  const readToken = (char: string) => {
    const closer =
      open < 0 || (isLines && open === 0) ? '' : text[columns.start[open] ?? 0] === '{' ? '}' : ']'
    if (char === closer && expects.endsWith('OrEnd')) {
      at++
      return closeNode(open, at)
    }
    if (expects === 'nothing') return fail(at, 'the value has ended, but the text goes on')
    if (expects === 'key' || expects === 'keyOrEnd') return readKey()
    if (expects !== 'commaOrEnd') return readValue(char)
    if (char !== ',') return fail(at, `a comma or ${closer} was expected here`)
    at++
    expects = closer === '}' ? 'key' : 'value'
  }

  if (isLines) open = addNode(0)
  return {
    step(chars) {
      const until = at + chars
      for (; at < until && !isOver();) {
        at = skipBlank(text, at)
        if (at >= text.length) {
          if (isLines && open === 0 && count > 1 && expects === 'value') closeNode(0, at)
          if (expects !== 'nothing') fail(at, count === 0 ? 'the text is empty' : UNFINISHED)
          return true
        }
        readToken(text[at] ?? '')
      }
      return isOver()
    },
    progress: () => (text.length === 0 ? 1 : at / text.length),
    result: () =>
      problem ? { problem } : { index: { text, isLines, count, ...trim(columns, count) } },
  }
}

const KEY = 'a key in double quotes was expected here'
const UNFINISHED = 'the text ends in the middle of a value'

/** The arrays cut to what was used; a subarray keeps no copy. */
function trim(columns: Columns, count: number): Columns {
  const cut = { ...columns }
  for (const name of COLUMNS) cut[name] = columns[name].subarray(0, count)
  return cut
}

function skipBlank(text: string, from: number) {
  let at = from
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break
  }
  return at
}

function positionAt(text: string, offset: number) {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    lineStart = at + 1
  }
  return { line, column: offset - lineStart + 1 }
}
