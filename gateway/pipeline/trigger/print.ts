import type { CompareOperator, Node } from './node.ts'

/** Positive and negated spelling of every comparison. */
const SPELLING: Record<CompareOperator, readonly [string, string]> = {
  equals: ['==', '!='],
  less: ['<', '>='],
  lessOrEqual: ['<=', '>'],
  greater: ['>', '<='],
  greaterOrEqual: ['>=', '<'],
  in: ['in', 'not in'],
  contains: ['contains', 'not contains'],
  startsWith: ['startsWith', 'not startsWith'],
  endsWith: ['endsWith', 'not endsWith'],
  matches: ['matches', 'not matches'],
}

/** Kinds that need no brackets wherever they stand. */
const TIGHT = new Set<Node['kind']>(['name', 'member', 'index', 'list', 'map', 'call'])

/**
 * An expression's text in one vocabulary, with the brackets that precedence implies. Parsing it
 * gives the same expression again.
 */
export function print(node: Node): string {
  switch (node.kind) {
    case 'literal':
      return printLiteral(node.value)
    case 'name':
      return node.name
    case 'member':
      return `${whole(node.object)}${node.optional ? '?.' : '.'}${node.property}`
    case 'index':
      return `${whole(node.object)}[${print(node.index)}]`
    case 'not':
      return `not ${tight(node.operand)}`
    case 'logic': {
      const left =
        node.left.kind === 'logic' && node.left.operator === node.operator
          ? print(node.left)
          : loose(node.left)
      return `${left} ${node.operator} ${loose(node.right)}`
    }
    case 'compare': {
      // Comparisons lean to the left, so only a right one needs brackets.
      const left = node.left.kind === 'compare' ? print(node.left) : tight(node.left)
      return `${left} ${SPELLING[node.operator][Number(node.negated)]} ${tight(node.right)}`
    }
    case 'choose':
      return `${loose(node.test)} ? ${loose(node.yes)} : ${loose(node.no)}`
    case 'list':
      return `[${node.items.map(print).join(', ')}]`
    case 'map':
      return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}: ${print(value)}`).join(', ')}}`
    default:
      return node.body
        ? `${node.name}(${print(node.list)}, {${print(node.body)}})`
        : `${node.name}(${print(node.list)})`
  }
}

/** As what a member or an element is read of. */
const whole = (node: Node) =>
  TIGHT.has(node.kind) || (node.kind === 'literal' && !isNegative(node.value))
    ? print(node)
    : `(${print(node)})`

/** As an operand of a comparison or of `not`. */
const tight = (node: Node) => (node.kind === 'literal' ? print(node) : whole(node))

/** As an operand of `and`, `or` and the ternary, which bind less than comparisons. */
const loose = (node: Node) =>
  node.kind === 'compare' || node.kind === 'not' ? print(node) : tight(node)

const isNegative = (value: unknown) =>
  typeof value === 'number' && (value < 0 || Object.is(value, -0))

function printLiteral(value: unknown) {
  if (value === undefined) return 'nil'
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}
