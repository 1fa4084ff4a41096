import { isScalar } from 'yaml'
import type { TextEdit } from '../text-edit.ts'
import { type Entry, lineEnd, lineStart, type Place } from './layout.ts'
import { type FileStyle, printBehindColon, printBehindDash, printInline } from './print.ts'

/** Puts another value behind a colon or a dash, or into a place of a list in brackets. */
export function replaceValue(
  text: string,
  { layout, index, isFlow }: Place,
  value: unknown,
  style: FileStyle,
): TextEdit[] {
  const entry = layout.entries[index]
  if (!entry) return []
  const lineIndent = /^[ \t]*/.exec(text.slice(lineStart(text, entry.start)))?.[0] ?? ''
  if (isFlow) {
    const printed = printLike(entry, value, style, lineIndent)
    return entry.valueStart === undefined
      ? [insertion(entry.markEnd, entry.hasMark ? ` ${printed}` : `: ${printed}`)]
      : [{ start: entry.valueStart, end: entry.end, text: printed }]
  }
  const print = layout.kind === 'map' ? printBehindColon : printBehindDash
  const printed = print(value, style, entry.node, ' '.repeat(layout.column))
  const head = printed.split('\n', 1)[0] ?? ''
  const header = head.replace(/\r$/, '')
  const lines = printed.slice(header.length)
  const mark = entry.hasMark ? '' : ':'
  if (entry.valueStart === undefined)
    return place(text, entry.markEnd, { header: mark + header, lines }, style)
  const isBelow = text.slice(entry.markEnd, entry.valueStart).includes('\n')
  if (isBelow)
    // A comment behind the colon stays; what stood on the lines below goes.
    return [
      insertion(entry.markEnd, header),
      { start: endOfLine(text, entry.markEnd), end: entry.end, text: lines },
    ]
  const [head1, ...rest] = place(text, entry.end, { header, lines }, style)
  // The blank in front goes, too: a list that is written below leaves nothing behind the colon.
  return [{ start: entry.markEnd, end: entry.end, text: head1?.text ?? '' }, ...rest]
}

/** A header where the value stood, and its lines behind a comment that may follow. */
function place(
  text: string,
  at: number,
  { header, lines }: { header: string; lines: string },
  style: FileStyle,
): TextEdit[] {
  if (lines === '') return [insertion(at, header)]
  const end = endOfLine(text, at)
  const isLast = end === text.length && !text.endsWith('\n')
  return end === at
    ? [insertion(at, header + lines)]
    : [insertion(at, header), insertion(end, lines + (isLast ? style.eol : ''))]
}

const endOfLine = (text: string, at: number) => {
  const end = lineEnd(text, at)
  const withoutBreak = text[end - 1] === '\n' ? end - 1 : end
  return text[withoutBreak - 1] === '\r' ? withoutBreak - 1 : withoutBreak
}

export const insertion = (at: number, text: string): TextEdit => ({ start: at, end: at, text })

/** A text in quotes keeps its kind of quotes. */
function printLike({ node }: Entry, value: unknown, style: FileStyle, indent: string) {
  if (!style.isJson && isScalar(node) && typeof value === 'string') {
    if (node.type === 'QUOTE_DOUBLE') return JSON.stringify(value)
    if (node.type === 'QUOTE_SINGLE' && !/[\n\r\t]/.test(value))
      return `'${value.replaceAll("'", "''")}'`
  }
  return printInline(value, style, indent)
}
