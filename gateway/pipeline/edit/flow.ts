import type { TextEdit } from '../text-edit.ts'
import { type Layout, lineEnd, lineStart } from './layout.ts'
import type { FileStyle } from './print.ts'
import { insertion } from './replace-value.ts'

/** Adds an entry to a map or list in brackets that is not empty. */
export function insertFlow(
  text: string,
  layout: Layout,
  { index, printed }: { index: number; printed: string },
  style: FileStyle,
): TextEdit[] {
  const next = layout.entries[index]
  if (next) {
    if (!beginsLine(text, next.start)) return [insertion(next.start, `${printed}, `)]
    const { start } = linesOf(text, layout, index)
    return [insertion(start, `${indentOf(text, next.start)}${printed},${style.eol}`)]
  }
  const last = layout.entries.at(-1)
  if (!last) return []
  const lastIndex = layout.entries.length - 1
  const comma = commaBehind(text, last.end)
  if (!beginsLine(text, last.start) || !endsLine(text, layout, lastIndex))
    return [insertion(last.end, `, ${printed}`)]
  const { end } = linesOf(text, layout, lastIndex)
  const line = `${indentOf(text, last.start)}${printed}`
  return comma === undefined
    ? [insertion(last.end, ','), insertion(end, line + style.eol)]
    : [insertion(end, `${line},${style.eol}`)]
}

/** Takes an entry out of a map or list in brackets. */
export function removeFlow(text: string, layout: Layout, index: number): TextEdit[] {
  const { entries } = layout
  const [before, entry, next] = [entries[index - 1], entries[index], entries[index + 1]]
  if (!entry) return []
  if (!before && !next) return [{ start: layout.start + 1, end: layout.end - 1, text: '' }]
  if (beginsLine(text, entry.start) && endsLine(text, layout, index)) {
    const lines = { ...linesOf(text, layout, index), text: '' }
    const left = next || commaBehind(text, entry.end) !== undefined ? undefined : before
    const comma = left && commaBehind(text, left.end)
    return comma === undefined ? [lines] : [{ start: comma, end: comma + 1, text: '' }, lines]
  }
  if (next) return [{ start: entry.start, end: next.start, text: '' }]
  const comma = commaBehind(text, before?.end ?? 0) ?? entry.start
  const between = text.slice(comma + 1, entry.start)
  return between.trim() === ''
    ? [{ start: comma, end: entry.end, text: '' }]
    : [
        { start: comma, end: comma + 1, text: '' },
        { start: entry.start, end: entry.end, text: '' },
      ]
}

/** Puts an entry of a list in brackets to another place; commas and line breaks stay where they are. */
export function moveFlow(
  text: string,
  layout: Layout,
  { from, to }: { from: number; to: number },
): TextEdit[] {
  const { entries } = layout
  const isOneEach = entries.every(
    ({ start }, index) => beginsLine(text, start) && endsLine(text, layout, index),
  )
  const pieces = entries.map((entry, index) => {
    const lines = isOneEach ? linesOf(text, layout, index) : entry
    return {
      lead: text.slice(lines.start, entry.start),
      body: text.slice(entry.start, entry.end),
      // The comment behind an entry goes with it, its comma does not.
      trail: isOneEach ? text.slice(commaEnd(text, entry.end), lines.end) : '',
      range: lines,
    }
  })
  const moved = pieces.toSpliced(from, 1)
  const piece = pieces[from]
  if (piece) moved.splice(to, 0, piece)
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return pieces.flatMap(({ range, body, lead, trail }, index): TextEdit[] => {
    const put = moved[index]
    if (index < low || index > high || !put || put.body === body) return []
    if (!isOneEach) return [{ start: range.start, end: range.end, text: put.body }]
    const comma = text.slice(range.start + lead.length + body.length, range.end - trail.length)
    return [{ ...range, text: put.lead + put.body + comma + put.trail }]
  })
}

const indentOf = (text: string, offset: number) => text.slice(lineStart(text, offset), offset)

const beginsLine = (text: string, offset: number) => indentOf(text, offset).trim() === ''

/** Whether only a comma and a comment stand behind an entry on its line. */
function endsLine(text: string, layout: Layout, index: number) {
  const end = layout.entries[index]?.end ?? 0
  const rest = text.slice(end, lineEnd(text, end))
  return /^[ \t]*,?[ \t]*(?:#.*)?\r?\n$/.test(rest)
}

/** The lines of an entry, with the comments directly above. */
function linesOf(text: string, layout: Layout, index: number) {
  const { start = 0, end = 0 } = layout.entries[index] ?? {}
  const limit = lineEnd(text, layout.entries[index - 1]?.end ?? layout.start)
  let first = lineStart(text, start)
  while (first > limit && /^[ \t]*#/.test(text.slice(lineStart(text, first - 1), first)))
    first = lineStart(text, first - 1)
  return { start: first, end: lineEnd(text, end) }
}

/** The comma behind an entry; comments may stand before it. */
function commaBehind(text: string, from: number): number | undefined {
  const found = /^(?:\s|#[^\n]*\n)*,/.exec(text.slice(from))
  return found ? from + found[0].length - 1 : undefined
}

const commaEnd = (text: string, from: number) => {
  const comma = commaBehind(text, from)
  return comma === undefined || text.slice(from, comma).includes('\n') ? from : comma + 1
}
