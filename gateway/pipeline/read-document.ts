import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml'
import type { Diagnostic, Fix, SourceRange } from '../contract/diagnostic.ts'
import type { ScriptText } from './definition-sources.ts'
import { canonicalName } from './dialect.ts'
import { placeScript } from './place-script.ts'
import { keepDigits } from './exact-numbers.ts'

/** Keys and list places from the top of a document down to a value. */
export type Path = readonly (string | number)[]

/** A place of the text and what to write there. */
export type Rewrite = Fix['edits'][number]

/** A parsed text that still knows where everything stands. */
export interface SourceDocument {
  file: string
  text: string
  value: unknown
  /** Mistakes of the text itself; when one is an error there is no value. */
  diagnostics: Diagnostic[]
  /** Whether the text itself has a value there. */
  has(path: Path): boolean
  /** The token of a value, or of what is nearest to it: scalars by themselves, maps by their key. */
  locate: (path: Path) => SourceRange
  /** The key of a value rather than the value. */
  locateKey(path: Path): SourceRange
  /** A value with everything in it. */
  locateWhole(path: Path): SourceRange
  /** Part of a text, by offsets into it; the whole text where escapes make offsets meaningless. */
  locateWithin(path: Path, start: number, end: number): SourceRange
  /** Another text in the place of a text or a key, in the same quotes; nothing where neither stands. */
  rewrite(path: Path, text: string): Rewrite | undefined
  rewriteKey(path: Path, name: string): Rewrite | undefined
  /** The range between two offsets. */
  rangeOf(start: number, end: number): SourceRange
  /** A text value as a script with the place where its first character stands. */
  scriptAt(path: Path, text: string): ScriptText
}

type Offsets = readonly [start: number, end: number]

/** Deeper than any pipeline; a text that contains itself through an anchor is infinitely deep. */
const DEEPEST = 64

/** Further mistakes of the text are mostly consequences of the first ones. */
const MOST_SYNTAX_ERRORS = 3

/** Parses YAML or JSON. Never throws. */
export function readDocument(file: string, text: string): SourceDocument {
  const lines = new LineCounter()
  const doc = parseSafely(text, lines)
  const diagnostics: Diagnostic[] = []
  const toRange = ([start, end]: Offsets): SourceRange => {
    const from = lines.linePos(start)
    const to = lines.linePos(Math.max(start, end))
    const [line, column] = from.line === 0 ? [1, 1] : [from.line, from.col]
    const [endLine, endColumn] = to.line === 0 ? [1, 1] : [to.line, to.col]
    return { file, line, column, endLine, endColumn }
  }
  const report = (code: string, message: string, offsets: Offsets, severity: 'error' | 'warning') =>
    diagnostics.push({ severity, code, message, source: toRange(offsets) })

  let value: unknown
  const json = file.endsWith('.json') ? jsonMistake(text) : undefined
  if (json) report('syntax', json.message, [json.at, json.at + 1], 'error')
  else if (typeof doc === 'string') report('syntax', doc, [0, Math.min(1, text.length)], 'error')
  else {
    for (const { message, pos } of doc.errors.slice(0, MOST_SYNTAX_ERRORS))
      report('syntax', firstLine(message), pos, 'error')
    for (const { message, pos } of doc.warnings)
      report('syntax', firstLine(message), pos, 'warning')
    if (doc.errors.length === 0)
      try {
        keepDigits(doc)
        value = doc.toJS()
        if (isTooDeep(value, DEEPEST)) throw new RangeError('it is nested too deeply')
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        report('syntax', `The text cannot be read: ${firstLine(why)}`, [0, 1], 'error')
        value = undefined
      }
  }

  const root = typeof doc === 'string' ? undefined : doc.contents
  const find = (path: Path) => walk(root, path, (node) => (isAlias(node) ? resolve(node) : node))
  const resolve = (node: Node) =>
    isAlias(node) && typeof doc !== 'string' ? (node.resolve(doc) ?? node) : node
  const locate = (path: Path) => toRange(tokenOf(find(path)))

  const rewriteNode = (node: Node | null | undefined, written: string): Rewrite | undefined =>
    isScalar(node) && node.range && node.range[1] > node.range[0]
      ? { range: toRange([node.range[0], node.range[1]]), text: inQuotesOf(node, written) }
      : undefined

  return {
    file,
    text,
    value,
    diagnostics,
    rewrite: (path, written) => {
      const { node, isWhole } = find(path)
      return isWhole ? rewriteNode(node, written) : undefined
    },
    rewriteKey: (path, name) => {
      const { key, isWhole } = find(path)
      return isWhole ? rewriteNode(key, name) : undefined
    },
    rangeOf: (start, end) => toRange([start, end]),
    has: (path) => find(path).isWhole,
    locate,
    locateKey: (path) => {
      const { key, isWhole } = find(path)
      return isWhole && key?.range ? toRange([key.range[0], key.range[1]]) : locate(path)
    },
    locateWhole: (path) => {
      const { node, isWhole } = find(path)
      if (!isWhole || !node?.range) return locate(path)
      const written = text.slice(node.range[0], node.range[1]).trimEnd()
      return toRange([node.range[0], node.range[0] + written.length])
    },
    locateWithin: (path, start, end) => {
      const { node, isWhole } = find(path)
      if (!isWhole || !isScalar(node) || !node.range || typeof node.value !== 'string')
        return locate(path)
      const quotes = node.type === 'PLAIN' ? 0 : 1
      const first = node.range[0] + quotes
      const isExact = text.slice(first, first + node.value.length) === node.value
      return isExact ? toRange([first + start, first + end]) : locate(path)
    },
    scriptAt: (path, script) => {
      const { node } = find(path)
      const scalar = node && resolve(node)
      const { line, column } = locate(path)
      const placing = isScalar(scalar)
        ? placeScript(text, scalar, script, (offset) => lines.linePos(offset))
        : undefined
      return { file, text: script, ...(placing ?? { line, column }) }
    },
  }
}

function parseSafely(text: string, lines: LineCounter) {
  try {
    return parseDocument(text, {
      lineCounter: lines,
      merge: true,
      intAsBigInt: true,
      prettyErrors: false,
      logLevel: 'error',
    })
  } catch (error) {
    // The parser recurses, so thousands of open brackets overflow its stack.
    return `The text cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

interface Found {
  node?: Node | null
  /** The key under which the node stands, when it stands in a map. */
  key?: Node
  /** False when only an ancestor of what was asked for exists. */
  isWhole: boolean
}

function walk(root: Node | null | undefined, path: Path, follow: (node: Node) => Node): Found {
  let found: Found = { node: root, isWhole: true }
  for (const step of path) {
    const node = found.node && follow(found.node)
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyText(key) === String(step))
      if (!pair) return { ...found, isWhole: false }
      found = {
        node: isNode(pair.value) ? pair.value : null,
        key: isNode(pair.key) ? pair.key : undefined,
        isWhole: true,
      }
    } else if (isSeq(node) && typeof step === 'number' && isNode(node.items[step]))
      found = { node: node.items[step], isWhole: true }
    else return { ...found, isWhole: false }
  }
  return found
}

/** A key's text under its canonical name, as the rest of the program asks for it. */
const keyText = (key: unknown) => canonicalName('stageKey', String(isScalar(key) ? key.value : key))

function tokenOf({ node, key }: Found): Offsets {
  if (isScalar(node) && node.range && node.value !== null)
    return node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
      ? [node.range[0], node.range[0] + 1]
      : [node.range[0], node.range[1]]
  if (isAlias(node) && node.range) return [node.range[0], node.range[1]]
  if (key?.range) return [key.range[0], key.range[1]]
  const first = isMap(node) ? node.items[0]?.key : undefined
  if (isNode(first) && first.range) return [first.range[0], first.range[1]]
  return node?.range ? [node.range[0], node.range[0] + 1] : [0, 0]
}

/** A text in the quotes of another one; one without quotes gets them where it would mean something else. */
function inQuotesOf({ type }: { type?: string }, text: string): string {
  if (type === 'QUOTE_SINGLE') return `'${text.replaceAll("'", "''")}'`
  const isPlain = /^(?!true$|false$|null$)(?:[A-Za-z_/]|\.{1,2}\/)[\w./{}-]*$/.test(text)
  return type === 'QUOTE_DOUBLE' || !isPlain ? JSON.stringify(text) : text
}

/** YAML's parser reads more than JSON, so a JSON file is tried by JSON's own first. */
function jsonMistake(text: string): { message: string; at: number } | undefined {
  try {
    // Editors of Windows put a byte order mark in front; it has no meaning.
    JSON.parse(text.replace(/^\uFEFF/, ' '))
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { message, at: Number(/position (\d+)/.exec(message)?.[1] ?? 0) }
  }
}

const isTooDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isTooDeep(one, levels - 1)))

const firstLine = (text: string) => text.split('\n', 1)[0] ?? text
