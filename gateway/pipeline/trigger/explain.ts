import type { ExpressionPart } from '../../contract/explain.ts'
import { childrenOf } from './children.ts'
import { evaluate, type Resolve, textOf } from './evaluate.ts'
import type { Expression, Node } from './node.ts'
import { type Mask, preview } from './preview.ts'
import { ExpressionError } from './tokens.ts'

/** A part being evaluated. */
interface Frame {
  node: Node
  parts: Frame[]
  /** Of the body of a closure: which element it is asked about. */
  element?: number
  /** Of a closure: how many elements have been asked about. */
  asked: number
  result?: { value: unknown }
}

/** Elements of one closure that are told; the last one, which decides, is always among them. */
const MOST_ELEMENTS = 10
const MOST_PARTS = 2_000
/** The parts of a long chain each hold most of its text, and their places tell the rest. */
const LONGEST_TEXT = 200

/**
 * Evaluates an expression and tells the value of every part but literals. Never throws. With `mask`
 * secrets are replaced in the values.
 */
export function explain(expression: Expression, resolve: Resolve, mask?: Mask): ExpressionPart {
  const open: Frame[] = []
  let root: Frame | undefined
  let count = 0
  let failure: { frame?: Frame; message: string } | undefined
  const watch = {
    enter(node: Node) {
      const frame: Frame = { node, parts: [], asked: 0 }
      const parent = open.at(-1)
      root ??= frame
      open.push(frame)
      if (!parent) return
      if (parent.node.kind === 'call' && parent.node.body === node) {
        frame.element = parent.asked++
        if (parent.asked > MOST_ELEMENTS) count -= sizeOf(parent.parts.pop())
      }
      if (count >= MOST_PARTS) return
      count++
      parent.parts.push(frame)
    },
    leave(value: unknown) {
      const frame = open.pop()
      if (frame) frame.result = { value }
    },
  }
  try {
    evaluate(expression, resolve, watch)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { start, end } = error
    const frame = open.findLast(({ node }) => node.start === start && node.end === end)
    failure = { frame: frame ?? open.at(-1), message: error.message }
  }

  const toPart = (frame: Frame): ExpressionPart => {
    const { node, parts, element, result } = frame
    return {
      ...place(node),
      ...(result && { value: preview(result.value, mask) }),
      ...(failure?.frame === frame && { error: failure.message }),
      ...(element !== undefined && { element }),
      parts: [...parts.filter((part) => part.node.kind !== 'literal').map(toPart), ...rest(frame)],
    }
  }
  /** Parts that were not needed, without values. */
  const rest = ({ node, parts }: Frame) =>
    childrenOf(node)
      .filter((child) => !parts.some((part) => part.node === child))
      .flatMap(notNeeded)
  const notNeeded = (node: Node): ExpressionPart[] =>
    node.kind === 'literal' ? [] : [{ ...place(node), parts: childrenOf(node).flatMap(notNeeded) }]
  const place = ({ start, end }: Node) => {
    const text = textOf(expression, { start, end })
    const isLong = text.length > LONGEST_TEXT
    return { text: isLong ? `${text.slice(0, LONGEST_TEXT)}…` : text, start, end }
  }

  // Safe: evaluation always enters the root.
  return toPart(root as Frame)
}

/** How many parts a part is, itself included. */
const sizeOf = (frame: Frame | undefined): number =>
  frame ? frame.parts.reduce((sum, part) => sum + sizeOf(part), 1) : 0

/** The message of the part that failed; nothing when none did. */
export const errorIn = ({ error, parts }: ExpressionPart): string | undefined =>
  error ?? parts.map(errorIn).find(Boolean)

/**
 * The reads of an expression with their values, as one line: `envs.USE_ES = "no"`. Empty when the
 * expression reads nothing.
 */
export function summarise({ text, value, parts }: ExpressionPart): string {
  if (parts.length > 0 && !isRead(text))
    return [...new Set(parts.map(summarise))].filter(Boolean).join(', ')
  return value === undefined || !isRead(text) ? '' : `${text} = ${value}`
}

const isRead = (text: string) => /^\$?[A-Za-z_][\w.?[\]"']*$/.test(text)
