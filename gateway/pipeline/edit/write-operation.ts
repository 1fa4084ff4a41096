import type { Document } from 'yaml'
import { PipelineDefinition, Route, StageEntry } from '../../contract/pipeline.ts'
import type { Path } from '../read-document.ts'
import type { TextEdit } from '../text-edit.ts'
import { insertBlock, isMovable, moveBlock, removeBlock } from './block.ts'
import { insertFlow, moveFlow, removeFlow } from './flow.ts'
import { findLayout, findPlace, type Layout, type Obstacle } from './layout.ts'
import { type Operation, wrap } from './operation.ts'
import {
  type FileStyle,
  printBehindColon,
  printBehindDash,
  printInline,
  printKey,
  printRoot,
} from './print.ts'
import { insertion, replaceValue } from './replace-value.ts'

/** A text with its tree, as edits are made for it. */
export interface EditedFile {
  readonly doc: Document
  readonly text: string
  readonly style: FileStyle
}

/** The changes of the text that an operation needs, or why it has none. */
export function writeOperation(file: EditedFile, operation: Operation): TextEdit[] | Obstacle {
  switch (operation.does) {
    case 'set':
      return set(file, operation.path, operation.value)
    case 'remove':
      return remove(file, operation.path)
    case 'insert':
      return insert(file, operation.path, operation.index, operation.value)
    default: {
      const found = findLayout(file.doc, file.text, operation.path)
      if (typeof found === 'string') return found
      const { layout } = found
      if (layout.isFlow) return moveFlow(file.text, layout, operation)
      return isMovable(file.text, layout)
        ? moveBlock(file.text, layout, operation, file.style)
        : 'missing'
    }
  }
}

function set(file: EditedFile, path: Path, value: unknown): TextEdit[] | Obstacle {
  const { doc, text, style } = file
  for (let depth = path.length; depth > 0; depth--) {
    const place = findPlace(doc, text, path.slice(0, depth))
    if (place === 'alias') return place
    if (place === 'missing') continue
    const rest = path.slice(depth)
    const inside = rest.length > 0 && findLayout(doc, text, path.slice(0, depth))
    // A value that is no collection, an empty one included, gives way to the rest of the path.
    if (inside === 'alias') return inside
    if (!inside || inside === 'missing' || inside.layout.entries.length === 0)
      return replaceValue(text, place, wrap(rest, value), style)
    return addTo(file, inside, { path, depth, value })
  }
  const root = findLayout(doc, text, [])
  if (root === 'missing' || (root !== 'alias' && root.layout.entries.length === 0))
    return fill(file, wrap(path, value))
  return root === 'alias' ? root : addTo(file, root, { path, depth: 0, value })
}

/** Writes the first value into a text that has none, below comments that stand there. */
function fill({ doc, text, style }: EditedFile, value: unknown): TextEdit[] {
  const printed = printRoot(value, { ...style, isOneLine: false })
  const { contents } = doc
  if (contents?.range && contents.range[1] > contents.range[0])
    return [{ start: contents.range[0], end: contents.range[1], text: printed }]
  const isOpen = text !== '' && !text.endsWith('\n')
  return [insertion(text.length, (isOpen ? style.eol : '') + printed + style.eol)]
}

function addTo(
  { text, style }: EditedFile,
  { layout, isFlow }: { layout: Layout; isFlow: boolean },
  { path, depth, value }: { path: Path; depth: number; value: unknown },
): TextEdit[] | Obstacle {
  const holder = path.slice(0, depth)
  const [key, ...rest] = path.slice(depth)
  if (typeof key !== (layout.kind === 'list' ? 'number' : 'string')) return 'missing'
  const index =
    typeof key === 'string' ? placeOfKey(layout.keys, key, holder) : layout.entries.length
  return addEntry(text, layout, { index, key, value: wrap(rest, value), isFlow }, style)
}

function insert(file: EditedFile, path: Path, index: number, value: unknown) {
  const { doc, text, style } = file
  const found = findLayout(doc, text, path)
  if (found === 'alias') return found
  if (found === 'missing' || found.layout.entries.length === 0) return set(file, path, [value])
  return addEntry(text, found.layout, { index, value, isFlow: found.isFlow }, style)
}

function addEntry(
  text: string,
  layout: Layout,
  {
    index,
    key,
    value,
    isFlow,
  }: { index: number; key?: string | number; value: unknown; isFlow: boolean },
  style: FileStyle,
): TextEdit[] {
  const name = typeof key === 'string' ? printKey(key, style) : undefined
  if (isFlow) {
    const near = layout.entries[Math.min(index, layout.entries.length - 1)]?.start ?? 0
    const line = text.slice(text.lastIndexOf('\n', near - 1) + 1)
    const isOneLine = style.isOneLine || !text.slice(layout.start, layout.end).includes('\n')
    const printed = printInline(value, { ...style, isOneLine }, /^[ \t]*/.exec(line)?.[0] ?? '')
    const whole = name ? `${name}: ${printed}` : printed
    return insertFlow(text, layout, { index, printed: whole }, style)
  }
  const indent = ' '.repeat(layout.column)
  const printed =
    name === undefined
      ? `-${printBehindDash(value, style, undefined, indent)}`
      : `${name}:${printBehindColon(value, style, undefined, indent)}`
  return insertBlock(text, layout, { index, printed }, style)
}

function remove({ doc, text, style }: EditedFile, path: Path): TextEdit[] | Obstacle {
  const place = findPlace(doc, text, path)
  if (typeof place === 'string') return place
  const { layout, index } = place
  if (layout.isFlow) return removeFlow(text, layout, index)
  if (layout.entries.length > 1) return removeBlock(text, layout, index)
  const holder = path.length > 1 ? findPlace(doc, text, path.slice(0, -1)) : 'missing'
  if (typeof holder === 'string') return holder
  return replaceValue(text, holder, layout.kind === 'map' ? {} : [], style)
}

/** Keys in the order of the contract, which is the order of the reference pages. */
const ORDERS: readonly [depth: number, list: string | undefined, keys: readonly string[]][] = [
  [0, undefined, Object.keys(PipelineDefinition.shape)],
  [2, 'stages', Object.keys(StageEntry.shape)],
  [2, 'routes', Object.keys(Route.shape)],
]

/** Where a new key goes: before the keys that usually follow it, else to the end. */
function placeOfKey(keys: readonly string[], key: string, holder: Path): number {
  const order = ORDERS.find(([depth, list]) => depth === holder.length && list === holder[0])?.[2]
  const rank = order?.indexOf(key) ?? -1
  if (!order || rank < 0) return keys.length
  const ranks = keys.map((one) => order.indexOf(one))
  const next = ranks.findIndex((other) => other > rank)
  const last = ranks.findLastIndex((other) => other >= 0 && other < rank)
  if (next < 0) return keys.length
  return next === 0 ? last + 1 : next
}
