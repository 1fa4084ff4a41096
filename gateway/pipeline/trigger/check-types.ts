import { textOf } from './evaluate.ts'
import type { Expression, Node } from './node.ts'

/** What a part's value is known to be before there is a request. */
type Type = 'boolean' | 'number' | 'text' | 'list' | 'map' | 'nil' | 'any'

/** Something that can never work, and where. Offsets count UTF-16 units of the expression. */
export interface TypeProblem {
  message: string
  start: number
  end: number
}

type Compare = Extract<Node, { kind: 'compare' }>

/** Facts of the request that always have the same type. */
const KNOWN: Record<string, Type> = {
  $index: 'list',
  $filter: 'map',
  $path: 'text',
  $method: 'text',
}

const NAMES: Record<Type, string> = {
  boolean: 'a boolean',
  number: 'a number',
  text: 'a text',
  list: 'a list',
  map: 'a map',
  nil: 'nil',
  any: 'anything',
}

/** What can be known to fail, or to compare things that are never equal, whatever the request. */
export function findTypeProblems(expression: Expression): TypeProblem[] {
  const problems: TypeProblem[] = []
  const report = ({ start, end }: Node, message: string) =>
    void problems.push({ message, start, end })
  const quote = (node: Node) => textOf(expression, node)

  /** The type of a part, which is reported unless it is one of those or not known. */
  function expectType(node: Node, wanted: readonly Type[], what: (is: string) => string): Type {
    const type = typeOf(node)
    if (type !== 'any' && !wanted.includes(type)) report(node, what(NAMES[type]))
    return type
  }
  const condition = (node: Node) =>
    expectType(node, ['boolean'], (is) => `${quote(node)} must be true or false, but it is ${is}`)

  function typeOf(node: Node): Type {
    switch (node.kind) {
      case 'literal':
        return typeOfValue(node.value)
      case 'name':
        return (Object.hasOwn(KNOWN, node.name) && KNOWN[node.name]) || 'any'
      case 'member':
        expectType(
          node.object,
          ['map', 'list'],
          (is) => `"${node.property}" cannot be read of ${quote(node.object)}, which is ${is}`,
        )
        return 'any'
      case 'index':
        return typeOfIndex(node)
      case 'not':
        condition(node.operand)
        return 'boolean'
      case 'logic':
        condition(node.left)
        condition(node.right)
        return 'boolean'
      case 'choose': {
        condition(node.test)
        const [yes, no] = [typeOf(node.yes), typeOf(node.no)]
        return yes === no ? yes : 'any'
      }
      case 'list':
        for (const item of node.items) typeOf(item)
        return 'list'
      case 'map':
        for (const { value } of node.entries) typeOf(value)
        return 'map'
      case 'call':
        return typeOfCall(node)
      default:
        checkCompare(node, typeOf(node.left), typeOf(node.right))
        return 'boolean'
    }
  }

  function typeOfIndex({ object, index }: Extract<Node, { kind: 'index' }>): Type {
    const type = expectType(
      object,
      ['map', 'list'],
      (is) => `Nothing can be read of ${quote(object)}, which is ${is}`,
    )
    const wanted: Type[] = type === 'list' ? ['number'] : ['number', 'text']
    expectType(index, wanted, (is) =>
      type === 'list'
        ? `A list is read with a whole number, but ${quote(index)} is ${is}`
        : `A list is read with a number and a map with a text, but ${quote(index)} is ${is}`,
    )
    return 'any'
  }

  function typeOfCall({ name, list, body }: Extract<Node, { kind: 'call' }>): Type {
    const needs = (what: string) => (is: string) =>
      `${name}() needs ${what}, but ${quote(list)} is ${is}`
    if (name === 'len') {
      expectType(list, ['text', 'list', 'map'], needs('a text, a list or a map'))
      return 'number'
    }
    expectType(list, ['list'], needs('a list'))
    if (body) {
      if (name === 'map') typeOf(body)
      else condition(body)
    }
    return name === 'filter' || name === 'map' ? 'list' : 'boolean'
  }

  function checkCompare(node: Compare, left: Type, right: Type) {
    const { operator, folded } = node
    // Through $query, $index and $filter a number is its own text, and lists are asked by element.
    const toFolded = (type: Type) =>
      folded && (type === 'number' || type === 'list') ? 'text' : type
    switch (operator) {
      case 'equals':
        return checkEqual(node, toFolded(left), toFolded(right))
      case 'in':
        if (!['list', 'map', 'any'].includes(right))
          report(
            node.right,
            `"in" needs a list or a map on its right side, but ${quote(node.right)} is ${NAMES[right]}${right === 'text' ? '; to search a text write contains' : ''}`,
          )
        return undefined
      case 'less':
      case 'lessOrEqual':
      case 'greater':
      case 'greaterOrEqual':
        return checkOrder(node, toFolded(left), toFolded(right))
      default:
        return checkText(node, left, right)
    }
  }

  function checkEqual(node: Compare, left: Type, right: Type) {
    const known = left !== 'any' && right !== 'any' && left !== 'nil' && right !== 'nil'
    if (known && left !== right)
      report(
        node,
        `${quote(node.left)} is ${NAMES[left]} and ${quote(node.right)} is ${NAMES[right]}: they are never equal`,
      )
  }

  function checkOrder(node: Compare, left: Type, right: Type) {
    const sortable = (type: Type) => type === 'number' || type === 'text' || type === 'any'
    for (const [type, side] of [
      [left, node.left],
      [right, node.right],
    ] as const)
      if (!sortable(type))
        return report(
          side,
          `Only numbers and texts can be put in order, but ${quote(side)} is ${NAMES[type]}`,
        )
    if (left !== 'any' && right !== 'any' && left !== right)
      report(
        node,
        `${quote(node.left)} is ${NAMES[left]} and ${quote(node.right)} is ${NAMES[right]}: they cannot be put in order`,
      )
    return undefined
  }

  function checkText(node: Compare, left: Type, right: Type) {
    const { operator, folded } = node
    const isText = (type: Type) =>
      type === 'text' || type === 'any' || (folded && type === 'number')
    const mayBeList = left === 'list' && (folded || operator === 'contains')
    if (!isText(left) && !mayBeList && !(folded && left === 'nil'))
      report(node.left, `${operator} needs a text, but ${quote(node.left)} is ${NAMES[left]}`)
    if (!isText(right) && !(left === 'list' && operator === 'contains'))
      report(
        node.right,
        `${operator} needs a text, but ${quote(node.right)} is ${NAMES[right]}${operator === 'contains' && right !== 'list' ? '; to look for it in a list write "in"' : ''}`,
      )
  }

  const type = typeOf(expression.root)
  if (type !== 'boolean' && type !== 'any')
    report(expression.root, `The expression must be true or false, but it is ${NAMES[type]}`)
  return problems
}

function typeOfValue(value: unknown): Type {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'nil'
}
