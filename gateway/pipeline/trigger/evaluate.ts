import { type Expression, type Node, toPattern } from './parse.ts'
import { ExpressionError } from './tokens.ts'

/** Gives the value behind a first name of an expression, such as `context` or `$query`. */
export type Resolve = (name: string) => unknown

type Compare = Extract<Node, { kind: 'compare' }>

/** Steps after which an evaluation is given up, so that nested closures cannot hold the process. */
const MOST_STEPS = 1_000_000

/**
 * The value of an expression. `onValue` is told the value of every part that was evaluated.
 * @throws {ExpressionError} when a part cannot be evaluated.
 */
export function evaluate(
  expression: Expression,
  resolve: Resolve,
  onValue?: (node: Node, value: unknown) => void,
): unknown {
  let steps = 0
  const elements: unknown[] = []

  function valueOf(node: Node): unknown {
    if (++steps > MOST_STEPS)
      throw new ExpressionError(`The expression takes more than ${MOST_STEPS} steps`, node)
    const value = compute(node)
    onValue?.(node, value)
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
        const holds = compareValues(node, valueOf(node.left), valueOf(node.right))
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

function compareValues(node: Compare, left: unknown, right: unknown): boolean {
  if (node.operator === 'in') return isIn(node, left, right)
  // A list compared through $index or $filter, or asked for what it contains, is asked by element.
  if (Array.isArray(left) && !Array.isArray(right) && (node.folded || node.operator === 'contains'))
    return left.some((element) =>
      node.folded ? compareOne(node, element, right) : isSame(element, right, false),
    )
  return compareOne(node, left, right)
}

function compareOne(node: Compare, left: unknown, right: unknown): boolean {
  if (node.operator === 'equals') return isSame(left, right, node.folded)
  if (node.operator === 'less' || node.operator === 'lessOrEqual') {
    const [a, b] = toComparable(node, left, right)
    return node.operator === 'less' ? a < b : a <= b
  }
  // A request without the field a rule asks for simply does not match.
  if (node.folded && (left === undefined || left === null)) return false
  const text = toText(node, left, node.left)
  if (node.operator === 'matches')
    return (node.pattern ?? toPattern(right, node.folded, node.right)).matcher(text).find()
  const [whole, part] = [fold(node, text), fold(node, toText(node, right, node.right))]
  if (node.operator === 'contains') return whole.includes(part)
  return node.operator === 'startsWith' ? whole.startsWith(part) : whole.endsWith(part)
}

function isIn(node: Compare, left: unknown, right: unknown): boolean {
  if (Array.isArray(right)) return right.some((one) => isSame(left, one, node.folded))
  if (right === undefined || right === null) return false
  if (typeof right === 'object') return Object.hasOwn(right, String(left))
  throw new ExpressionError(
    `"in" needs a list or a map on its right side, but it got ${nameOf(right)}; to search a text write contains`,
    node.right,
  )
}

function toComparable(node: Compare, left: unknown, right: unknown): [number, number] {
  if (typeof left === 'string' && typeof right === 'string' && !node.folded)
    return [left < right ? -1 : Number(left > right), 0]
  const numbers = [left, right].map((value) =>
    node.folded && typeof value === 'string' && value.trim() !== '' ? Number(value) : value,
  )
  const [a, b] = numbers
  if (typeof a === 'number' && typeof b === 'number') return [a, b]
  throw new ExpressionError(`${nameOf(left)} and ${nameOf(right)} cannot be put in order`, node)
}

/** Equality by content. Without case, a number also equals its own text. */
function isSame(left: unknown, right: unknown, folded: boolean): boolean {
  if (left === right) return true
  if ((left ?? undefined) === (right ?? undefined)) return true
  if (folded && isScalar(left) && isScalar(right))
    return String(left).toLowerCase() === String(right).toLowerCase()
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        // Both are objects here, so their own keys can be read by name.
        isSame(
          (left as Record<string, unknown>)[key],
          (right as Record<string, unknown>)[key],
          folded,
        ),
    )
  )
}

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number'

function toText(node: Compare, value: unknown, at: Node): string {
  if (typeof value === 'string') return value
  if (node.folded && typeof value === 'number') return String(value)
  throw new ExpressionError(`A text is needed here, but the value is ${nameOf(value)}`, at)
}

const fold = (node: Compare, text: string) => (node.folded ? text.toLowerCase() : text)

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return 'nil'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : 'a map'
}
