import type { Node } from './node.ts'
import { toPattern } from './pattern.ts'
import { ExpressionError } from './tokens.ts'

/** A comparison. */
export type Compare = Extract<Node, { kind: 'compare' }>

/** Counts steps, one by default. */
type Spend = (node: Node, count?: number) => void

/** Characters a regular expression, and anything else, gets through in the time of one step. */
const MATCHED_A_STEP = 10
const READ_A_STEP = 1_000

/** Values nested deeper than this are not compared: the comparison would follow them down. */
const DEEPEST = 100

/**
 * What a comparison says before it is negated. `spend` is told of the steps it takes.
 * @throws {ExpressionError} when the values cannot be compared that way.
 */
export function compareValues(node: Compare, left: unknown, right: unknown, spend: Spend): boolean {
  const { operator, folded } = node
  const same = (a: unknown, b: unknown) => isSame(a, b, { node, spend })
  if (operator === 'in') return isIn(node, left, right, same)
  const one = (left: unknown) =>
    operator === 'equals' ? same(left, right) : compareScalars(node, left, right, spend)
  // A list compared through $index or $filter, or asked for what it contains, is asked by element.
  if (Array.isArray(left) && !Array.isArray(right)) {
    if (folded) return left.some(one)
    if (operator === 'contains') return left.some((element) => same(element, right))
  }
  return one(left)
}

function compareScalars(node: Compare, left: unknown, right: unknown, spend: Spend): boolean {
  const { operator, folded } = node
  switch (operator) {
    case 'less':
      return order(node, left, right) < 0
    case 'lessOrEqual':
      return order(node, left, right) <= 0
    case 'greater':
      return order(node, left, right) > 0
    case 'greaterOrEqual':
      return order(node, left, right) >= 0
  }
  // A request without the field a rule asks for simply does not match.
  if (folded && isNil(left)) return false
  const text = toText(node, left, node.left)
  spend(node, Math.ceil(text.length / (operator === 'matches' ? MATCHED_A_STEP : READ_A_STEP)))
  if (operator === 'matches')
    return (node.pattern ?? toPattern(right, folded, node.right)).matcher(text).find()
  const [whole, part] = [fold(node, text), fold(node, toText(node, right, node.right))]
  if (operator === 'contains') return whole.includes(part)
  return operator === 'startsWith' ? whole.startsWith(part) : whole.endsWith(part)
}

function isIn(
  node: Compare,
  left: unknown,
  right: unknown,
  same: (a: unknown, b: unknown) => boolean,
): boolean {
  if (node.folded && Array.isArray(left)) return left.some((one) => isIn(node, one, right, same))
  if (Array.isArray(right)) return right.some((one) => same(left, one))
  if (isNil(right)) return false
  if (typeof right === 'object' && right) return isScalar(left) && Object.hasOwn(right, `${left}`)
  throw new ExpressionError(
    `"in" needs a list or a map on its right side, but it got ${nameOf(right)}; to search a text write contains`,
    node.right,
  )
}

/** Below zero when the left one comes first; NaN, which is in no order, when a number is none. */
function order(node: Compare, left: unknown, right: unknown): number {
  const [a, b] = node.folded ? [toNumber(left), toNumber(right)] : [left, right]
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a - b
  if (typeof left === 'string' && typeof right === 'string') {
    const [first, second] = [fold(node, left), fold(node, right)]
    return first < second ? -1 : Number(first > second)
  }
  throw new ExpressionError(`${nameOf(left)} and ${nameOf(right)} cannot be put in order`, node)
}

/** A text that is a number as one; filters often are texts. */
const toNumber = (value: unknown) => {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** Equality by content. Without case, a number also equals its own text. */
function isSame(
  left: unknown,
  right: unknown,
  about: { node: Compare; spend: Spend },
  depth = 0,
): boolean {
  const { node, spend } = about
  spend(node)
  if (left === right || (isNil(left) && isNil(right))) return true
  if (node.folded && isScalar(left) && isScalar(right))
    return String(left).toLowerCase() === String(right).toLowerCase()
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  if (depth > DEEPEST)
    throw new ExpressionError('The values are nested too deeply to be compared', node)
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        // Safe: both are objects here, so their own keys can be read by name.
        isSame(
          (left as Record<string, unknown>)[key],
          (right as Record<string, unknown>)[key],
          about,
          depth + 1,
        ),
    )
  )
}

const isNil = (value: unknown) => value === undefined || value === null

const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

function toText(node: Compare, value: unknown, at: Node): string {
  if (typeof value === 'string') return value
  if (node.folded && typeof value === 'number') return String(value)
  throw new ExpressionError(`A text is needed here, but the value is ${nameOf(value)}`, at)
}

const fold = (node: Compare, text: string) => (node.folded ? text.toLowerCase() : text)

/** A value in a message: what it is, never what it says. */
export function nameOf(value: unknown): string {
  if (isNil(value)) return 'nil'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : 'a map'
}
