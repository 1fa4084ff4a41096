import type { AnyNode } from 'acorn'

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** The nodes directly below `node`, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = []
  for (const value of Object.values(node))
    if (Array.isArray(value)) children.push(...value.filter(isNode))
    else if (isNode(value)) children.push(value)
  return children
}

/** Visits `root` and all below it; `ancestors` has the parent last. */
export function walk(root: AnyNode, visit: (node: AnyNode, ancestors: AnyNode[]) => void) {
  const ancestors: AnyNode[] = []
  const descend = (node: AnyNode) => {
    visit(node, ancestors)
    ancestors.push(node)
    for (const child of childrenOf(node)) descend(child)
    ancestors.pop()
  }
  descend(root)
}

/** False for names that are no variables: properties after a dot, keys, labels. */
export function isReference(node: AnyNode, ancestors: AnyNode[]): boolean {
  const parent = ancestors.at(-1)
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed
    case 'Property':
      return parent.value === node || parent.computed
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === node || parent.computed
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false
    default:
      return true
  }
}
