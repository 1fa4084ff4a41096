import type { AnyNode, Program } from 'acorn'
import { isReference, walk } from './walk.ts'

/** Keys of the context whose members cross one by one; all others cross whole. */
export const SPLIT_KEYS: ReadonlySet<string> = new Set(['request', 'response', 'envs'])

/**
 * Which parts of the context a script may read: `['request', 'body']`, `['genre']`.
 * `whole` when that cannot be told from the text. Parts that are only assigned are left out.
 */
export interface ContextUse {
  whole: boolean
  paths: string[][]
}

/** Errs on the side of more: a name that merely looks like the context counts. */
export function findContextUse(program: Program): ContextUse {
  const use: ContextUse = { whole: false, paths: [] }
  walk(program, (node, ancestors) => {
    if (node.type !== 'Identifier' || !isReference(node, ancestors)) return
    // Code made from text can name the context without our seeing it.
    if (node.name === 'eval' || node.name === 'arguments') use.whole = true
    if (node.name === 'handleRequest' || node.name === 'handleResponse')
      checkHandler(node, ancestors, use)
    if (node.name === 'context') addUse(node, ancestors, use)
  })
  return use
}

function addUse(node: AnyNode, ancestors: AnyNode[], use: ContextUse) {
  if (isParameter(node, ancestors) || isReturnOfHandler(ancestors)) return
  const path: string[] = []
  let top = node
  let depth = ancestors.length - 1
  for (; depth >= 0 && path.length < 2; depth--) {
    const parent = ancestors[depth]
    if (parent?.type === 'ChainExpression') continue
    if (parent?.type !== 'MemberExpression' || parent.object !== top) break
    const key = keyOf(parent)
    if (key === undefined) break
    path.push(key)
    top = parent
    if (!SPLIT_KEYS.has(path[0] ?? '')) {
      depth--
      break
    }
  }
  if (path.length === 0) {
    for (const one of destructured(ancestors[depth], node) ?? [[]])
      if (one.length === 0) use.whole = true
      else use.paths.push(one)
    return
  }
  const user = ancestors[depth]
  const isOnlyAssigned =
    user?.type === 'AssignmentExpression' && user.operator === '=' && user.left === top
  if (!isOnlyAssigned) use.paths.push(path)
}

/** `{ request: { body }, genre } = context` → its paths; nothing when it cannot be told. */
function destructured(parent: AnyNode | undefined, context: AnyNode): string[][] | undefined {
  if (parent?.type !== 'VariableDeclarator' || parent.init !== context) return undefined
  if (parent.id.type !== 'ObjectPattern') return undefined
  const paths: string[][] = []
  for (const property of parent.id.properties) {
    if (property.type === 'RestElement' || property.computed) return undefined
    if (property.key.type !== 'Identifier') return undefined
    paths.push([property.key.name])
  }
  return paths
}

/** The name after a dot or inside brackets, when it is written out. */
export function keyOf(member: AnyNode & { type: 'MemberExpression' }): string | undefined {
  const { property, computed } = member
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'Literal' && typeof property.value === 'string'
    ? property.value
    : undefined
}

const isHandlerName = (name: string | undefined) =>
  name === 'handleRequest' || name === 'handleResponse'

const isFunction = (node: AnyNode | undefined) =>
  node?.type === 'FunctionDeclaration' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'ArrowFunctionExpression'

function isParameter(node: AnyNode, ancestors: AnyNode[]) {
  const parent = ancestors.at(-1)
  // Safe: these are the three node types that have `params`.
  return isFunction(parent) && (parent as AnyNode & { params: AnyNode[] }).params.includes(node)
}

/** `return context` out of the handler itself means no more than returning nothing. */
export function isReturnOfHandler(ancestors: AnyNode[]) {
  if (ancestors.at(-1)?.type !== 'ReturnStatement') return false
  const at = ancestors.findLastIndex(isFunction)
  const closest = ancestors[at]
  const owner = ancestors[at - 1]
  if (closest?.type === 'FunctionDeclaration') return at === 1 && isHandlerName(closest.id?.name)
  return (
    at === 3 &&
    owner?.type === 'VariableDeclarator' &&
    owner.id.type === 'Identifier' &&
    isHandlerName(owner.id.name)
  )
}

/** The handler is given the context: under another name, or by its caller, it may go anywhere. */
function checkHandler(node: AnyNode, ancestors: AnyNode[], use: ContextUse) {
  const parent = ancestors.at(-1)
  const handler =
    parent?.type === 'FunctionDeclaration' && parent.id === node
      ? parent
      : parent?.type === 'VariableDeclarator' && parent.id === node
        ? parent.init
        : undefined
  if (handler?.type !== 'FunctionDeclaration' && !isFunctionValue(handler)) use.whole = true
  else
    for (const param of handler.params)
      if (param.type !== 'Identifier' || param.name !== 'context') use.whole = true
}

const isFunctionValue = (
  node: AnyNode | null | undefined,
): node is AnyNode & { type: 'FunctionExpression' | 'ArrowFunctionExpression' } =>
  node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression'
