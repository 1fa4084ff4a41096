import { compareValues, nameOf } from './compare.ts'
import type { Expression, Node } from './node.ts'
import { ExpressionError } from './tokens.ts'

/** Gives the value behind a first name of an expression, such as `context` or `$query`. */
export type Resolve = (name: string) => unknown

/** Follows an evaluation: every part is entered, then its own parts, then it is left with its value. */
export interface Watch {
  enter(node: Node): void
  leave(value: unknown): void
}

/** Steps after which an evaluation is given up, about a second, so that nothing holds the process. */
const MOST_STEPS = 1_000_000

/**
 * The value of an expression.
 * @throws {ExpressionError} when a part cannot be evaluated.
 */
export function evaluate(expression: Expression, resolve: Resolve, watch?: Watch): unknown {
  let steps = 0
  const elements: unknown[] = []

  function spend(node: Node, count = 1) {
    steps += count
    if (steps > MOST_STEPS)
      throw new ExpressionError(`The expression takes more than ${MOST_STEPS} steps`, node)
  }

  function valueOf(node: Node): unknown {
    watch?.enter(node)
    spend(node)
    const value = compute(node)
    watch?.leave(value)
    return value
  }

  function compute(node: Node): unknown {
    switch (node.kind) {
      case 'literal':
        return node.value
      case 'name':
        return node.name === '#' ? elements.at(-1) : resolve(node.name)
      case 'member':
        return memberOf(valueOf(node.object), node.property, node)
      case 'index':
        return elementOf(valueOf(node.object), valueOf(node.index), node)
      case 'not':
        return !truthOf(node.operand)
      case 'logic':
        return node.operator === 'and'
          ? truthOf(node.left) && truthOf(node.right)
          : truthOf(node.left) || truthOf(node.right)
      case 'choose':
        return valueOf(truthOf(node.test) ? node.yes : node.no)
      case 'list':
        return node.items.map(valueOf)
      case 'map':
        return Object.fromEntries(node.entries.map(({ key, value }) => [key, valueOf(value)]))
      case 'call':
        return call(node)
      default: {
        const holds = compareValues(node, valueOf(node.left), valueOf(node.right), spend)
        return holds !== node.negated
      }
    }
  }

  function truthOf(node: Node): boolean {
    const value = valueOf(node)
    if (typeof value === 'boolean') return value
    throw new ExpressionError(
      `"${textOf(expression, node)}" must be true or false, but it is ${nameOf(value)}`,
      node,
    )
  }

  function call(node: Extract<Node, { kind: 'call' }>): unknown {
    const list = valueOf(node.list)
    if (node.name === 'len') return lengthOf(list, node)
    const { body } = node
    if (!Array.isArray(list) || !body)
      throw new ExpressionError(`${node.name}() needs a list, but it got ${nameOf(list)}`, node)
    const inside =
      <T>(of: (node: Node) => T) =>
      (element: unknown) => {
        elements.push(element)
        const result = of(body)
        elements.pop()
        return result
      }
    switch (node.name) {
      case 'any':
        return list.some(inside(truthOf))
      case 'all':
        return list.every(inside(truthOf))
      case 'none':
        return !list.some(inside(truthOf))
      case 'filter':
        return list.filter(inside(truthOf))
      default:
        return list.map(inside(valueOf))
    }
  }

  return valueOf(expression.root)
}

/**
 * Whether the condition holds.
 * @throws {ExpressionError} also when its value is neither true nor false.
 */
export function holds(expression: Expression, resolve: Resolve): boolean {
  const value = evaluate(expression, resolve)
  if (typeof value === 'boolean') return value
  throw new ExpressionError(
    `The expression must be true or false, but it is ${nameOf(value)}`,
    expression.root,
  )
}

/** The text of one part of an expression. */
export const textOf = (expression: Expression, { start, end }: { start: number; end: number }) =>
  expression.text.slice(start, end)

function memberOf(
  object: unknown,
  property: string,
  node: Extract<Node, { kind: 'member' | 'index' }>,
): unknown {
  if (object === undefined || object === null) {
    if (node.kind === 'member' && node.optional) return undefined
    throw new ExpressionError(
      `"${property}" cannot be read, because what stands before it is nil`,
      node,
    )
  }
  return typeof object === 'object' && Object.hasOwn(object, property)
    ? // Own properties only: an expression must not reach what objects inherit.
      (object as Record<string, unknown>)[property]
    : undefined
}

function elementOf(object: unknown, index: unknown, node: Extract<Node, { kind: 'index' }>) {
  if (Array.isArray(object)) {
    if (typeof index !== 'number' || !Number.isInteger(index))
      throw new ExpressionError(
        `A list is read with a whole number, but the index is ${nameOf(index)}`,
        node,
      )
    return object.at(index)
  }
  if (typeof index !== 'string' && typeof index !== 'number')
    throw new ExpressionError(`A map is read with a text, but the index is ${nameOf(index)}`, node)
  return memberOf(object, String(index), node)
}

function lengthOf(value: unknown, node: Node) {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  throw new ExpressionError(
    `len() needs a text, a list or a map, but it got ${nameOf(value)}`,
    node,
  )
}
