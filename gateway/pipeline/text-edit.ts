import type { Fix } from '../contract/diagnostic.ts'

/** Replaces part of a text; offsets count UTF-16 units. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies the edits of a fix; ranges count lines and columns from 1. */
export function applyFix(text: string, edits: Fix['edits']): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const offset = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1
  return applyTextEdits(
    text,
    edits.map(({ range, text }) => ({
      start: offset(range.line, range.column),
      end: offset(range.endLine, range.endColumn),
      text,
    })),
  )
}

/**
 * Applies edits that were all made for the same text; those at one place apply in their order.
 * @throws {RangeError} when two of them overlap.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new RangeError('Two edits overlap')
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
