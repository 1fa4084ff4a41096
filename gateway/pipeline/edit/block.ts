import type { TextEdit } from '../text-edit.ts'
import { type Layout, lineEnd, lineStart } from './layout.ts'
import type { FileStyle } from './print.ts'
import { insertion } from './replace-value.ts'

/** Whole lines that belong to an entry in block style: its comments, too. */
interface Extent {
  readonly start: number
  readonly end: number
}

/** Adds an entry in block style. `printed` begins at the dash or the key, without a line break. */
export function insertBlock(
  text: string,
  layout: Layout,
  { index, printed }: { index: number; printed: string },
  { eol }: FileStyle,
): TextEdit[] {
  const indent = ' '.repeat(layout.column)
  const next = layout.entries[index]
  const extents = extentsOf(text, layout)
  if (next && isInline(text, next.start)) return [insertion(next.start, printed + eol + indent)]
  const gap = hasGap(text, layout, extents, index) ? eol : ''
  const before = extents[index]
  if (before) return [insertion(before.start, indent + printed + eol + gap)]
  const end = extents.at(-1)?.end ?? text.length
  return text[end - 1] === '\n'
    ? [insertion(end, gap + indent + printed + eol)]
    : [insertion(end, eol + gap + indent + printed)]
}

/** Takes an entry in block style out, with its comments. Not for the last one that is left. */
export function removeBlock(text: string, layout: Layout, index: number): TextEdit[] {
  const extents = extentsOf(text, layout)
  const [entry, extent] = [layout.entries[index], extents[index]]
  const next = layout.entries[index + 1]
  if (!entry || !extent) return []
  if (isInline(text, entry.start) && next) {
    const between = text.slice(extent.end, next.start)
    // What stands behind a dash moves up, unless a comment stands between.
    if (between.trim() === '') return [{ start: entry.start, end: next.start, text: '' }]
    const line = text.slice(lineStart(text, entry.start), entry.start)
    const eol = text.slice(0, extent.end).endsWith('\r\n') ? '\r\n' : '\n'
    return [
      { start: entry.start - (line.length - line.trimEnd().length), end: extent.end, text: eol },
    ]
  }
  return [{ ...withGap(text, extents, index), text: '' }]
}

/** Puts an entry of a list in block style to another place, with its comments. */
export function moveBlock(
  text: string,
  layout: Layout,
  { from, to }: { from: number; to: number },
  { eol }: FileStyle,
): TextEdit[] {
  const extents = extentsOf(text, layout)
  const [extent, target] = [extents[from], extents[to]]
  if (!extent || !target) return []
  const lines = text.slice(extent.start, extent.end)
  const whole = lines.endsWith('\n') ? lines : lines + eol
  const gap = hasGap(text, layout, extents, from) ? eol : ''
  const removal = { ...withGap(text, extents, from), text: '' }
  if (to < from) return [insertion(target.start, whole + gap), removal]
  return text[target.end - 1] === '\n'
    ? [removal, insertion(target.end, gap + whole)]
    : [removal, insertion(target.end, eol + gap + whole.slice(0, -eol.length))]
}

/** Whether all entries begin on lines of their own, so that they can change places. */
export const isMovable = (text: string, { entries }: Layout) =>
  entries.every(({ start }) => !isInline(text, start))

/** Whether something stands before it on its line, such as the dash before a map's first key. */
const isInline = (text: string, offset: number) =>
  text.slice(lineStart(text, offset), offset).trim() !== ''

function extentsOf(text: string, layout: Layout): Extent[] {
  const extents: Extent[] = []
  let limit = 0
  for (const [index, { start, end }] of layout.entries.entries()) {
    const first = lineStart(text, start)
    // The comment at the top of a file is about the file, not about its first key.
    const isTop = index === 0 && layout.kind === 'map' && layout.column === 0
    const extent = {
      start: isTop || isInline(text, start) ? first : withLead(text, first, layout.column, limit),
      end: withTrail(text, end, layout.column),
    }
    extents.push(extent)
    limit = extent.end
  }
  return extents
}

/** Up over the comment lines that stand directly above and no deeper. */
function withLead(text: string, first: number, column: number, limit: number): number {
  let start = first
  while (start > limit) {
    const above = lineStart(text, start - 1)
    const line = text.slice(above, start)
    if (above < limit || !/^ *#/.test(line) || line.indexOf('#') > column) break
    start = above
  }
  return start
}

/** To the end of the line, and on over comment lines that stand deeper. */
function withTrail(text: string, contentEnd: number, column: number): number {
  let end = text[contentEnd - 1] === '\n' ? contentEnd : lineEnd(text, contentEnd)
  for (let at = end; at < text.length;) {
    const next = lineEnd(text, at)
    const line = text.slice(at, next)
    at = next
    if (line.trim() === '') continue
    if (!/^ *#/.test(line) || line.indexOf('#') <= column) break
    end = next
  }
  return end
}

/** An extent with the blank lines that would be left over without it. */
function withGap(text: string, extents: readonly Extent[], index: number): Extent {
  const extent = extents[index] ?? { start: 0, end: 0 }
  let { start, end } = extent
  if (index < extents.length - 1) {
    while (end < text.length && text.slice(end, lineEnd(text, end)).trim() === '')
      end = lineEnd(text, end)
    return { start, end }
  }
  const limit = extents[index - 1]?.end ?? start
  while (start > limit && text.slice(lineStart(text, start - 1), start).trim() === '')
    start = lineStart(text, start - 1)
  return { start, end }
}

/** Whether the entries around a place are separated by blank lines. */
function hasGap(text: string, layout: Layout, extents: readonly Extent[], index: number) {
  if (layout.kind === 'map') return false
  const at = Math.min(Math.max(index, 1), extents.length - 1)
  const [above, below] = [extents[at - 1], extents[at]]
  return above && below && at > 0 ? /^\s*\n/.test(text.slice(above.end, below.start)) : false
}
