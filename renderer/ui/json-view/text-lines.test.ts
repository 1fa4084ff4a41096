import { expect, test } from 'vitest'
import { foldLines, lineAt, lineText } from './text-lines.ts'

const shown = (text: string, columns: number) => {
  const lines = foldLines(text, columns)
  return Array.from({ length: lines.count }, (_, line) => [
    lines.number[line],
    lineText(text, lines, line),
  ])
}

test('long lines are folded, and only their beginning is numbered', () => {
  expect(shown('abcdefg\r\n\nhi', 3)).toEqual([
    [1, 'abc'],
    [0, 'def'],
    [0, 'g'],
    [2, ''],
    [3, 'hi'],
  ])
})

test('an empty text is one empty line', () => {
  expect(shown('', 80)).toEqual([[1, '']])
})

test('an offset belongs to the line that shows it', () => {
  const lines = foldLines('abcdef\ngh', 4)
  expect([0, 3, 4, 6, 7, 8].map((offset) => lineAt(lines, offset))).toEqual([0, 0, 1, 1, 2, 2])
})
