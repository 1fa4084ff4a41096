import type { ReactNode } from 'react'
import type { WorkspaceFile } from '../../gateway/contract/workspace.ts'
import type { TreeNode } from '../ui/tree.tsx'
import { iconOfFile } from './icon-of-file.ts'

/** Folders first, then files, each by name; `end` gives the marks of a file's row. */
export function toFileTree(
  files: readonly WorkspaceFile[],
  end: (file: WorkspaceFile) => ReactNode,
  prefix = '',
): TreeNode[] {
  const inside = files.filter(({ path }) => path.startsWith(prefix))
  const folders = new Set<string>()
  const nodes: TreeNode[] = []
  for (const file of inside) {
    const [name = '', ...rest] = file.path.slice(prefix.length).split('/')
    if (rest.length > 0) folders.add(name)
    else
      nodes.push({
        nodeId: file.path,
        label: name,
        icon: iconOfFile(file.kind),
        tooltip: file.path,
        end: end(file),
      })
  }
  const folderNodes = [...folders].map((name) => ({
    nodeId: `${prefix}${name}/`,
    label: name,
    icon: 'folder',
    children: toFileTree(inside, end, `${prefix}${name}/`),
  }))
  return [...folderNodes.toSorted(byLabel), ...nodes.toSorted(byLabel)]
}

const byLabel = (a: TreeNode, b: TreeNode) => a.label.localeCompare(b.label)
