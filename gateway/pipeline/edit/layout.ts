import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Range,
} from 'yaml'
import type { Path } from '../read-document.ts'

/** One entry of a map or a list, as offsets into the text. */
export interface Entry {
  /** First character: the key, or the dash of a list in block style; anchors and tags included. */
  readonly start: number
  /** After the last character of the value; comments behind it do not count. */
  readonly end: number
  /** After the colon or the dash; where there is none, after the key. */
  readonly markEnd: number
  /** False where a key has no colon yet. */
  readonly hasMark: boolean
  /** First character of the value, its tag included; absent when it is empty. */
  readonly valueStart?: number
  readonly node?: Node
}

/** A map or a list and where its entries stand. */
export interface Layout {
  readonly kind: 'map' | 'list'
  /** In brackets, as all of JSON is. */
  readonly isFlow: boolean
  /** Of a list in block style: the column of its dashes; of a map: that of its keys. From 0. */
  readonly column: number
  readonly start: number
  readonly end: number
  readonly entries: readonly Entry[]
  /** Written keys of a map, in step with the entries. */
  readonly keys: readonly string[]
}

/** An entry, the collection it stands in, and whether it or anything around it is in brackets. */
export interface Place {
  readonly layout: Layout
  readonly index: number
  readonly isFlow: boolean
}

/** Why a path cannot be followed to the end. */
export type Obstacle = 'alias' | 'missing'

/** Follows a path to its entry. Aliases are not followed: what they name stands elsewhere. */
export function findPlace(doc: Document, text: string, path: Path): Place | Obstacle {
  let node: unknown = doc.contents
  let place: Place | undefined
  for (const step of path) {
    if (isAlias(node)) return 'alias'
    if (!isCollection(node)) return 'missing'
    const layout = layoutOf(node, text)
    const index = typeof step === 'number' ? step : layout.keys.indexOf(step)
    const entry = layout.entries[index]
    if (!entry || (layout.kind === 'list') !== (typeof step === 'number')) return 'missing'
    place = { layout, index, isFlow: layout.isFlow || (place?.isFlow ?? false) }
    node = entry.node
  }
  return place ?? 'missing'
}

/** The collection at a path, if there is one. */
export function findLayout(
  doc: Document,
  text: string,
  path: Path,
): { layout: Layout; isFlow: boolean } | Obstacle {
  const place = path.length === 0 ? undefined : findPlace(doc, text, path)
  if (typeof place === 'string') return place
  const node = place ? place.layout.entries[place.index]?.node : doc.contents
  if (isAlias(node)) return 'alias'
  if (!isCollection(node)) return 'missing'
  const layout = layoutOf(node, text)
  return { layout, isFlow: layout.isFlow || (place?.isFlow ?? false) }
}

interface Token {
  type: string
  offset: number
  source: string
}

/** What yaml keeps of the text for one entry, when it is asked to. */
interface SourceEntry {
  start: readonly Token[]
  sep?: readonly Token[]
}

/** Every node belongs to one text; hundreds of changes in one edit look at the same ones. */
const layouts = new WeakMap<Node, Layout>()
const ends = new WeakMap<Node, number>()

function layoutOf(node: Node, text: string): Layout {
  const known = layouts.get(node)
  if (known) return known
  const layout = findLayoutOf(node, text)
  layouts.set(node, layout)
  return layout
}

function findLayoutOf(node: Node, text: string): Layout {
  const isFlow = 'flow' in node && node.flow === true
  const entries = entriesOf(node)
  const first = entries[0]?.start ?? 0
  return {
    kind: isMap(node) ? 'map' : 'list',
    isFlow,
    column: first - lineStart(text, first),
    start: node.range?.[0] ?? 0,
    end: endOf(node),
    entries,
    keys: isMap(node)
      ? node.items.map(({ key }) => String(isScalar(key) ? key.value : (key ?? '')))
      : [],
  }
}

function entriesOf(node: unknown): Entry[] {
  if (isMap(node))
    return node.items.map((pair) => {
      const { start = [], sep = [] } = sourceOf(pair) ?? {}
      const key = isNode(pair.key) ? pair.key : undefined
      const keyEnd = key?.range?.[1] ?? 0
      const colon = sep.find(({ type }) => type === 'map-value-ind')
      const markEnd = colon ? colon.offset + 1 : keyEnd
      const begin = start.find(isContent)?.offset ?? key?.range?.[0] ?? 0
      const behind = sep.filter((token) => token.offset >= markEnd && isContent(token))
      return entry({ begin, markEnd, hasMark: colon !== undefined, behind, node: pair.value })
    })
  if (!isSeq(node)) return []
  // Comments behind the last entry have a source entry of their own, but no item.
  const sources = sourcesOf(node)
  return node.items.map((item, index) => {
    const start = sources[index]?.start ?? []
    const dash = start.find(({ type }) => type === 'seq-item-ind')
    const behind = start.filter((token) => token !== dash && isContent(token))
    const value: unknown = isPair(item) ? item.value : item
    const first = behind[0]?.offset ?? (isNode(value) ? value.range?.[0] : undefined) ?? 0
    return entry({
      begin: dash?.offset ?? first,
      markEnd: dash ? dash.offset + 1 : first,
      hasMark: true,
      behind,
      node: value,
    })
  })
}

function entry(found: {
  begin: number
  markEnd: number
  hasMark: boolean
  /** Anchors and tags of the value. */
  behind: readonly Token[]
  node: unknown
}): Entry {
  const { begin: start, markEnd, hasMark, behind } = found
  const node = isNode(found.node) ? found.node : undefined
  const isEmpty = !node?.range || (isScalar(node) && node.range[0] === node.range[1])
  const last = behind.at(-1)
  const propsEnd = last ? last.offset + last.source.length : markEnd
  const valueStart = behind[0]?.offset ?? (isEmpty ? undefined : node?.range?.[0])
  return {
    start,
    markEnd,
    hasMark,
    end: isEmpty ? propsEnd : endOf(node),
    ...(valueStart !== undefined && { valueStart }),
    ...(node && { node }),
  }
}

/** After the last character of a value. */
function endOf(node: unknown): number {
  if (!isNode(node) || !node.range) return 0
  const known = ends.get(node)
  if (known !== undefined) return known
  const end = findEndOf(node, node.range)
  ends.set(node, end)
  return end
}

function findEndOf(node: Node, range: Range): number {
  if (isCollection(node) && node.flow !== true)
    return Math.max(range[0], ...entriesOf(node).map(({ end }) => end))
  if (!isScalar(node) || !node.type?.startsWith('BLOCK')) return range[1]
  const token: unknown = node.srcToken
  const { source, props } = token as { source: string; props: readonly Token[] } // Safe: yaml's token of a block scalar
  const keeps = props.some(
    ({ type, source }) => type === 'block-scalar-header' && source.includes('+'),
  )
  const [trailing = ''] = /(?:\r?\n[ \t]*)+$/.exec(source) ?? []
  return keeps ? range[1] : range[1] - trailing.length
}

const isContent = ({ type }: Token) =>
  type !== 'space' && type !== 'newline' && type !== 'comment' && type !== 'comma'

/** Offset of the first character of the line that holds an offset; a byte order mark is none. */
export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  return start === 0 && offset > 0 && text.startsWith('\uFEFF') ? 1 : start
}

/** Offset behind the line's end, line break included. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found < 0 ? text.length : found + 1
}

// yaml types these loosely; the shapes are those of its documented concrete syntax tree.
const sourceOf = (pair: { srcToken?: unknown }) => pair.srcToken as SourceEntry | undefined

const sourcesOf = (node: { srcToken?: unknown }) =>
  (node.srcToken as { items: readonly (SourceEntry & { value?: unknown })[] }).items.filter(
    ({ start, value, sep }) =>
      value !== undefined || sep !== undefined || start.some(({ type }) => type === 'seq-item-ind'),
  )
