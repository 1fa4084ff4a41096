import { expect, test } from 'vitest'
import { parseExportFlags, parseImportFlags } from './exchange-flags.ts'

test('flags are read, wherever the file stands', () => {
  expect([
    parseExportFlags(['a.yaml']),
    parseExportFlags(['--one-click', 'a.yaml', '--dialect', 'reference']),
    parseImportFlags(['-', '--workspace', 'w', '--force']),
  ]).toEqual([
    { file: 'a.yaml', dialect: 'sluice', oneClick: false },
    { file: 'a.yaml', dialect: 'reference', oneClick: true },
    { file: '-', workspaceDir: 'w', force: true },
  ])
})

test.each([
  [() => parseExportFlags([]), /takes one file, not none/],
  [() => parseExportFlags(['a', 'b']), /takes one file, not 2/],
  [() => parseExportFlags(['a', '--dialect', 'latin']), /sluice or reference, not "latin"/],
  [() => parseImportFlags(['a']), /needs --workspace DIR/],
  [() => parseImportFlags(['a', '--workspace', '']), /needs --workspace DIR/],
  [() => parseImportFlags(['a', '--frobnicate']), /--frobnicate/],
])('%s is refused in one line', (read, message) => {
  expect(read).toThrow(message)
})
