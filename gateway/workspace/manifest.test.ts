import { expect, test } from 'vitest'
import { makeWorkspace } from '../../test/support/make-workspace.ts'
import { readManifest } from './manifest.ts'

const read = (text: string) => {
  using workspace = makeWorkspace({ 'sluice.yaml': text })
  return readManifest(workspace.dir)
}

test('limits are read', () => {
  expect(read('name: a\nlimits: { runs: 3, runMs: 100 }\n').limits).toEqual({ runs: 3, runMs: 100 })
})

test.each([
  ['name: [', 'sluice.yaml:1:8: '],
  ['name: a\nlimits:\n  runs: 0\n', 'sluice.yaml:3:9: limits.runs: '],
  ['name: a\nlimits:\n  runs: many\n', 'sluice.yaml:3:9: limits.runs: '],
  ['name: a\nlimits:\n  runMs: 5\n  run: 6\n', 'sluice.yaml:4:8: limits: Unrecognized key: "run"'],
  ['title: a\n', 'sluice.yaml:1:1: name: '],
  ['name: a\ndata:\n  - index: movies\n', 'sluice.yaml:3:5: data.0.documents: '],
])('a mistake in %j is told with its place', (text, message) => {
  expect(() => read(text)).toThrow(message)
})
