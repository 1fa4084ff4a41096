import { indexInSlices } from './index-in-slices.ts'
import { indexJson, isQuickToIndex, type JsonIndex, kindOf } from './json-index.ts'

/** One JSON text inside the tree: the whole, or what a string of it holds. */
export interface JsonDoc {
  /** Tells the texts of one tree apart. */
  readonly docId: string
  readonly index: JsonIndex
  /** Depth of this text's root in the whole tree. */
  readonly depth: number
  readonly owner: { readonly doc: JsonDoc; readonly node: number } | null
  /** 1 where a node is open. */
  readonly open: Uint8Array
  /** Strings looked into: their own text, or what became of the try. */
  readonly lenses: Map<number, JsonDoc | 'raw' | 'pending' | 'none'>
}

/** A line of the tree. */
export interface JsonRow {
  doc: JsonDoc
  node: number
}

/**
 * What is open, and so which lines there are. The root has a line only when it has no children.
 * Listeners are told of every change.
 */
export interface JsonTree {
  /** Differs between any two trees. */
  readonly treeId: number
  readonly root: JsonDoc
  subscribe: (listener: () => void) => () => void
  /** Changes whenever the lines do. */
  version: () => number
  rowCount: () => number
  rowAt: (row: number) => JsonRow
  /** Line of a node, or of the closed one that hides it; -1 for none. */
  rowOf: (doc: JsonDoc, node: number) => number
  /** Whether a line can be opened: containers with children and strings that hold JSON. */
  canOpen: (doc: JsonDoc, node: number) => boolean
  isOpen: (doc: JsonDoc, node: number) => boolean
  setOpen: (doc: JsonDoc, node: number, open: boolean) => void
  setAllOpen: (open: boolean) => void
  /** Opens everything above a node. */
  reveal: (doc: JsonDoc, node: number) => void
  /** The text a string holds when it is shown parsed; `null` when the string is no JSON. */
  lensOf: (doc: JsonDoc, node: number) => JsonDoc | 'raw' | 'pending' | null
  setLens: (doc: JsonDoc, node: number, mode: 'parsed' | 'raw') => void
}

let treeCount = 0

const FIRST_ROWS = 150
const FEW_SIBLINGS = 20
const MOST_DEPTH = 5

/** A tree whose first lines are open, as many as a tall screen holds. */
export function createJsonTree(index: JsonIndex): JsonTree {
  const root = makeDoc(index, 0, null)
  const listeners = new Set<() => void>()
  let version = 0
  let rows: Rows | undefined

  const changed = () => {
    version++
    rows = undefined
    for (const listener of listeners) listener()
  }
  const currentRows = () => (rows ??= listRows(root))
  const lens = (doc: JsonDoc, node: number) => lookInside(doc, node, changed)

  openFirst(root, lens)
  return {
    treeId: treeCount++,
    root,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
    rowCount: () => currentRows().count,
    rowAt(row) {
      const { docs, doc, node } = currentRows()
      return { doc: docs[doc[row] ?? 0] ?? root, node: node[row] ?? 0 }
    },
    rowOf(doc, node) {
      for (let at: JsonRow | null = { doc, node }; at; at = parentOf(at.doc, at.node)) {
        const found = currentRows().find(at.doc, at.node)
        if (found >= 0) return found
      }
      return -1
    },
    canOpen: (doc, node) =>
      (doc.index.childCount[node] ?? 0) > 0 || typeof lens(doc, node) === 'object',
    isOpen: (doc, node) => doc.open[node] === 1,
    setOpen(doc, node, open) {
      doc.open[node] = open ? 1 : 0
      if (open) lookInside(doc, node, changed)
      changed()
    },
    setAllOpen(open) {
      setAll(root, open)
      changed()
    },
    reveal(doc, node) {
      for (let at = parentOf(doc, node); at; at = parentOf(at.doc, at.node))
        at.doc.open[at.node] = 1
      changed()
    },
    lensOf(doc, node) {
      const found = lens(doc, node)
      return found === 'none' ? null : found
    },
    setLens(doc, node, mode) {
      if (mode === 'raw') doc.lenses.set(node, 'raw')
      else doc.lenses.delete(node)
      changed()
    },
  }
}

/** The line above a node in the tree: its container, or the string it was read from. */
export function parentOf(doc: JsonDoc, node: number): JsonRow | null {
  const parent = doc.index.parent[node] ?? -1
  if (parent < 0) return doc.owner && { ...doc.owner }
  // The root of a string's own text has no line of its own: the string stands for it.
  if (parent === 0 && doc.owner) return { ...doc.owner }
  return { doc, node: parent }
}

/** The text of a string token, escapes resolved. A string has no digits to lose. */
export const decodeString = (token: string) => String(JSON.parse(token))

const makeDoc = (index: JsonIndex, depth: number, owner: JsonDoc['owner']): JsonDoc => ({
  docId: owner ? `${owner.doc.docId}/${owner.node}` : '',
  index,
  depth,
  owner,
  open: new Uint8Array(index.count),
  lenses: new Map(),
})

/** Indexes what a string holds, once. Long strings are read in slices and announced later. */
function lookInside(doc: JsonDoc, node: number, changed: () => void) {
  const known = doc.lenses.get(node)
  if (known) return known
  if (!looksLikeJson(doc.index, node)) return 'none'
  const { start, end, text } = doc.index
  const inner = decodeString(text.slice(start[node], end[node]))
  const depth = doc.depth + (doc.index.depth[node] ?? 0)
  const settle = (result: ReturnType<typeof indexJson>) => {
    const isJson = 'index' in result
    const lens = isJson ? makeDoc(result.index, depth, { doc, node }) : ('none' as const)
    doc.lenses.set(node, lens)
    return lens
  }
  // The body of a bulk or multi search holds one value a line.
  const isBroken = (result: ReturnType<typeof indexJson>) =>
    'problem' in result && inner.includes('\n')
  if (isQuickToIndex(inner)) {
    const whole = indexJson(inner)
    return settle(isBroken(whole) ? indexJson(inner, true) : whole)
  }
  doc.lenses.set(node, 'pending')
  const { signal } = new AbortController()
  void indexInSlices(inner, { signal })
    .then((whole) => (isBroken(whole) ? indexInSlices(inner, { signal, isLines: true }) : whole))
    .then((result) => {
      settle(result)
      changed()
    })
  return 'pending' as const
}

/** A string whose content begins and ends like an object or an array. */
function looksLikeJson({ text, start, end }: JsonIndex, node: number) {
  const from = start[node] ?? 0
  if (text[from] !== '"') return false
  const head = /^(?: |\\[nrt])*([[{])/.exec(text.slice(from + 1, from + 40))?.[1]
  const tail = /([\]}])(?: |\\[nrt])*"$/.exec(
    text.slice(Math.max(from, (end[node] ?? 0) - 40), end[node]),
  )?.[1]
  return (head === '{' && tail === '}') || (head === '[' && tail === ']')
}

/**
 * Opens level by level while the lines stay few. Below that only what has few siblings: the way to
 * a long list opens, and the list, but not each of its items.
 */
function openFirst(root: JsonDoc, lens: (doc: JsonDoc, node: number) => JsonDoc | string) {
  let level: JsonRow[] = [{ doc: root, node: 0 }]
  let total = 0
  for (let depth = 0; level.length > 0; depth++) {
    const parents = level.map((row) => ({ row, children: childrenOf(row, lens, FIRST_ROWS + 1) }))
    total += parents.reduce((sum, { children }) => sum + children.length, 0)
    const opened =
      total <= FIRST_ROWS ? parents : depth > MOST_DEPTH ? [] : parents.filter(isAmongFew)
    for (const { row } of opened) row.doc.open[row.node] = 1
    level = opened.flatMap(({ children }) => children)
  }
}

const isAmongFew = ({ row: { doc, node } }: { row: JsonRow }) =>
  (doc.index.childCount[doc.index.parent[node] ?? -1] ?? 0) <= FEW_SIBLINGS

/** The first `limit` lines below one. */
function childrenOf(
  { doc, node }: JsonRow,
  lens: (doc: JsonDoc, node: number) => JsonDoc | string,
  limit: number,
): JsonRow[] {
  const inner = kindOf(doc.index, node) === 'string' ? lens(doc, node) : undefined
  if (typeof inner === 'object') return childrenOf({ doc: inner, node: 0 }, lens, limit)
  const rows: JsonRow[] = []
  const end = doc.index.next[node] ?? 0
  for (
    let child = node + 1;
    child < end && rows.length < limit;
    child = doc.index.next[child] ?? end
  )
    rows.push({ doc, node: child })
  return rows
}

function setAll(doc: JsonDoc, open: boolean) {
  const { count, childCount } = doc.index
  // A string that nobody has looked into yet stays closed: it has no lines to show.
  for (let node = 1; node < count; node++)
    doc.open[node] =
      open && ((childCount[node] ?? 0) > 0 || typeof doc.lenses.get(node) === 'object') ? 1 : 0
  doc.open[0] = 1
  for (const lens of doc.lenses.values()) if (typeof lens === 'object') setAll(lens, open)
}

const hasChildren = (index: JsonIndex) => (index.childCount[0] ?? 0) > 0

interface Rows {
  count: number
  docs: JsonDoc[]
  doc: Uint32Array
  node: Int32Array
  find: (doc: JsonDoc, node: number) => number
}

/** Every line in order, as numbers: a million of them must not become a million objects. */
function listRows(root: JsonDoc): Rows {
  const docs: JsonDoc[] = []
  let doc = new Uint32Array(1024)
  let node = new Int32Array(1024)
  let count = 0

  const push = (docAt: number, at: number) => {
    if (count === doc.length) {
      const wider = [new Uint32Array(count * 2), new Int32Array(count * 2)] as const
      wider[0].set(doc)
      wider[1].set(node)
      doc = wider[0]
      node = wider[1]
    }
    doc[count] = docAt
    node[count++] = at
  }

  const walk = (of: JsonDoc) => {
    const { index, open, lenses } = of
    const docAt = docs.push(of) - 1
    // What stands for the text already has a line: the string, or the view as a whole.
    for (let at = of.owner || hasChildren(index) ? 1 : 0; at < index.count;) {
      push(docAt, at)
      const lens = open[at] === 1 && lenses.size > 0 ? lenses.get(at) : undefined
      if (typeof lens === 'object') walk(lens)
      at = open[at] === 1 ? at + 1 : (index.next[at] ?? index.count)
    }
  }
  walk(root)

  return {
    count,
    docs,
    doc,
    node,
    find(of, at) {
      const docAt = docs.indexOf(of)
      for (let row = 0; row < count; row++) if (node[row] === at && doc[row] === docAt) return row
      return -1
    },
  }
}
