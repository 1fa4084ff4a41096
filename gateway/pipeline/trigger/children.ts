import type { Node } from './node.ts'

/** The parts a part is made of, in the order of the text. */
export function childrenOf(node: Node): Node[] {
  switch (node.kind) {
    case 'member':
      return [node.object]
    case 'index':
      return [node.object, node.index]
    case 'not':
      return [node.operand]
    case 'logic':
    case 'compare':
      return [node.left, node.right]
    case 'choose':
      return [node.test, node.yes, node.no]
    case 'list':
      return node.items
    case 'map':
      return node.entries.map(({ value }) => value)
    case 'call':
      return node.body ? [node.list, node.body] : [node.list]
    default:
      return []
  }
}
