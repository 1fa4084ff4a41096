import { expect, test } from 'vitest'
import { toFileTree } from './file-tree.ts'

const file = (path: string) => ({ path, kind: 'other' as const, sizeBytes: 1 })

test('puts folders before files and sorts both by name', () => {
  const tree = toFileTree(['z.yaml', 'b/x.js', 'a.yaml', 'b/a/y.js'].map(file), () => null)
  const names = (nodes: typeof tree): unknown[] =>
    nodes.map(({ nodeId, children }) => (children ? [nodeId, names([...children])] : nodeId))
  expect(names(tree)).toEqual([['b/', [['b/a/', ['b/a/y.js']], 'b/x.js']], 'a.yaml', 'z.yaml'])
})
