import type { AnyNode, Program } from 'acorn'
import { isReturnOfHandler, keyOf, SPLIT_KEYS } from './context-use.ts'
import { walk } from './walk.ts'

/** A write to a fixed key of the context, such as `response`. */
export interface FixedWrite {
  key: string
  node: AnyNode
}

/**
 * Where a script writes to `request`, `response` or `envs`, in place or with what its handler
 * returns. Run asynchronously, it does so in vain. Only what the text says outright is found.
 */
export function findFixedWrites(program: Program): FixedWrite[] {
  const writes: FixedWrite[] = []
  const add = (node: AnyNode, key: string | undefined) => {
    if (key !== undefined && SPLIT_KEYS.has(key)) writes.push({ key, node })
  }
  walk(program, (node, ancestors) => {
    if (node.type === 'AssignmentExpression') add(node.left, topKeyOf(node.left))
    if (node.type === 'UpdateExpression') add(node.argument, topKeyOf(node.argument))
    if (node.type === 'UnaryExpression' && node.operator === 'delete')
      add(node.argument, topKeyOf(node.argument))
    if (node.type !== 'ObjectExpression' || !isReturnOfHandler(ancestors)) return
    for (const property of node.properties)
      if (property.type === 'Property' && !property.computed && property.key.type === 'Identifier')
        add(property.key, property.key.name)
  })
  return writes
}

/** `response` of `context.response.headers.x`. */
function topKeyOf(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const { object } = node
  return object.type === 'Identifier' && object.name === 'context' ? keyOf(node) : topKeyOf(object)
}
