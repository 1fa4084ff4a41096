import type { Node } from './node.ts'

const FOLDED = new Set(['$query', '$index', '$filter'])

/**
 * Whether a value comes from `$query`, `$index` or `$filter`, whose text has no case. `closures` says
 * the same of the elements of each closure around it.
 */
export function isFolded(value: Node, closures: readonly boolean[]): boolean {
  const isOne = (node: Node) => isFolded(node, closures)
  switch (value.kind) {
    case 'member':
    case 'index':
      return isOne(value.object)
    case 'name':
      return value.name === '#' ? (closures.at(-1) ?? false) : FOLDED.has(value.name)
    case 'choose':
      return isOne(value.yes) || isOne(value.no)
    case 'list':
      return value.items.some(isOne)
    case 'call':
      if (value.name === 'filter') return isOne(value.list)
      return (
        value.name === 'map' &&
        value.body !== undefined &&
        isFolded(value.body, [...closures, isOne(value.list)])
      )
    default:
      return false
  }
}
