import type { RE2JS } from 're2js'

/** How two values are compared; a negated operator is the same one with `negated`. */
export type CompareOperator =
  | 'equals'
  | 'less'
  | 'lessOrEqual'
  | 'greater'
  | 'greaterOrEqual'
  | 'in'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'matches'

/** What a part is, without its place. */
export type Shape =
  | { kind: 'literal'; value: unknown }
  | { kind: 'name'; name: string }
  | { kind: 'member'; object: Node; property: string; optional: boolean }
  | { kind: 'index'; object: Node; index: Node }
  | { kind: 'not'; operand: Node }
  | { kind: 'logic'; operator: 'and' | 'or'; left: Node; right: Node }
  | { kind: 'choose'; test: Node; yes: Node; no: Node }
  | { kind: 'list'; items: Node[] }
  | { kind: 'map'; entries: { key: string; value: Node }[] }
  | { kind: 'call'; name: string; list: Node; body?: Node }
  | {
      kind: 'compare'
      operator: CompareOperator
      negated: boolean
      /** Text is compared without regard to case. */
      folded: boolean
      left: Node
      right: Node
      /** Compiled when the right side of `matches` is a literal. */
      pattern?: RE2JS
    }

/** One part of an expression with its place in the text. */
export type Node = Shape & { start: number; end: number }

/** A parsed expression. */
export interface Expression {
  readonly text: string
  readonly root: Node
  /** The names it reads first, such as `context` and `$query`, with the place of each. */
  readonly names: ReadonlyMap<string, { start: number; end: number }>
}
