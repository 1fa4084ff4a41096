import { evaluate, type Resolve, textOf } from './evaluate.ts'
import type { Expression, Node } from './parse.ts'
import { ExpressionError } from './tokens.ts'

/** One part of an expression with what it came to. Parts that were not needed have no value. */
export interface Explanation {
  text: string
  /** JSON text, cut at 200 characters; `nil` for nothing. */
  value?: string
  error?: string
  parts: Explanation[]
}

/** Evaluates an expression and tells the value of every part. Never throws. */
export function explain(expression: Expression, resolve: Resolve): Explanation {
  const values = new Map<Node, string>()
  let failure: { node: { start: number; end: number }; message: string } | undefined
  try {
    evaluate(expression, resolve, (node, value) => values.set(node, show(value)))
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    failure = { node: error, message: error.message }
  }
  const toExplanation = (node: Node): Explanation => {
    const failed =
      failure && node.start === failure.node.start && node.end === failure.node.end
        ? failure.message
        : undefined
    return {
      text: textOf(expression, node),
      value: values.get(node),
      ...(failed && { error: failed }),
      parts: partsOf(node)
        .filter((part) => part.kind !== 'literal')
        .map(toExplanation),
    }
  }
  const explanation = toExplanation(expression.root)
  return failure ? { ...explanation, error: failure.message } : explanation
}

/**
 * The reads of an expression with their values, as one line: `envs.USE_ES = "no"`. Empty when the
 * expression reads nothing.
 */
export function summarise({ text, value, parts }: Explanation): string {
  if (parts.length > 0 && !isRead(text))
    return [...new Set(parts.map(summarise))].filter(Boolean).join(', ')
  return value === undefined || !isRead(text) ? '' : `${text} = ${value}`
}

const isRead = (text: string) => /^\$?[A-Za-z_][\w.?[\]"']*$/.test(text)

function partsOf(node: Node): Node[] {
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
      // The body is evaluated once an element, so it has no single value.
      return [node.list]
    default:
      return []
  }
}

function show(value: unknown): string {
  const text = (value === null ? undefined : JSON.stringify(value)) ?? 'nil'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
