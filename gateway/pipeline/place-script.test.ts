import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Document, Scalar } from 'yaml'
import { readDocument } from './read-document.ts'

/** Texts with all that matters to the styles of YAML; letters are what is looked up. */
const texts = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'Z',
      ' ',
      '  ',
      '\n',
      '\n\n',
      '\t',
      "'",
      '"',
      '\\',
      '#',
      ':',
      'é',
      '😀',
      '\u2028',
      '\x07',
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => `x${parts.join('')}y`)

const styles = [
  Scalar.PLAIN,
  Scalar.QUOTE_SINGLE,
  Scalar.QUOTE_DOUBLE,
  Scalar.BLOCK_LITERAL,
  Scalar.BLOCK_FOLDED,
  'JSON',
] as const

function write(text: string, style: (typeof styles)[number], lineWidth: number) {
  if (style === 'JSON') return JSON.stringify({ stages: [{ id: 'a', script: text }] }, null, 2)
  const scalar = new Scalar(text)
  scalar.type = style
  return new Document({ stages: [{ id: 'a', script: scalar }] }).toString({ lineWidth })
}

test.each(styles)('every letter of a script is found where it is written, in style %s', (style) => {
  fc.assert(
    fc.property(texts, fc.constantFrom(0, 20, 40), (text, lineWidth) => {
      const document = write(text, style, lineWidth)
      const { value, scriptAt } = readDocument(style === 'JSON' ? 'a.json' : 'a.yaml', document)
      // The writer of the library has a few mistakes of its own; what counts is what is read.
      fc.pre(value !== undefined)
      // Safe: that is what was written.
      const read = (value as { stages: { script: string }[] }).stages[0]?.script ?? ''
      const { line, column, places } = scriptAt(['stages', 0, 'script'], read)
      const rows = document.split('\n')
      for (const { index: at, 0: letter } of read.matchAll(/[a-zA-Zé]/g)) {
        const before = read.slice(0, at).split('\n')
        const [from, row, start] = places?.findLast(([from]) => from <= at) ?? [
          at - (before.at(-1)?.length ?? 0),
          line + before.length - 1,
          column,
        ]
        expect([at, rows[row - 1]?.charAt(start - 1 + at - from)]).toEqual([at, letter])
      }
    }),
    { numRuns: 200 },
  )
})

test('a script behind an alias stands where its anchor does', () => {
  const document = 'one: &one |\n  let a = 1\nstages:\n  - script: *one\n'
  const { scriptAt } = readDocument('a.yaml', document)
  expect(scriptAt(['stages', 0, 'script'], 'let a = 1\n')).toEqual({
    file: 'a.yaml',
    text: 'let a = 1\n',
    line: 2,
    column: 3,
  })
})

test('a text that is not the one in the file begins where that one does', () => {
  const { scriptAt } = readDocument('a.yaml', 'script: "let a = 1"\n')
  const text = 'something else'
  expect(scriptAt(['script'], text)).toEqual({ file: 'a.yaml', text, line: 1, column: 9 })
})
