import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompareOperator, Node } from './node.ts'
import { parseExpression } from './parse.ts'
import { print } from './print.ts'
import { ExpressionError } from './tokens.ts'

/** A tree without places, patterns and what follows from the names in it. */
function bare(node: Node): unknown {
  const { start: _start, end: _end, ...shape } = node
  return JSON.parse(
    JSON.stringify(shape, (key, value: unknown) =>
      ['start', 'end', 'pattern', 'folded'].includes(key)
        ? undefined
        : Object.is(value, -0)
          ? '-0'
          : value,
    ),
  )
}

const at = { start: 0, end: 0 }
const name = fc.constantFrom('envs', 'context', '$query', '$index', 'in_', 'notNow', 'nile')
const literal = fc
  .oneof(
    fc.boolean(),
    fc.constant(undefined),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  )
  .map((value): Node => ({ kind: 'literal', value, ...at }))

const negatable: CompareOperator[] = ['equals', 'in', 'contains', 'startsWith', 'endsWith']
const ordered: CompareOperator[] = ['less', 'lessOrEqual', 'greater', 'greaterOrEqual']

/** Any tree the parser can give, closures included. */
const { node: anyNode } = fc.letrec<{ node: Node; inside: Node }>((tie) => {
  const parts = (self: fc.Arbitrary<Node>, leaf: fc.Arbitrary<Node>) =>
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      literal,
      fc.record({
        kind: fc.constant('member' as const),
        object: self,
        property: fc.constantFrom('a', 'in', 'not', 'b_1', '$x'),
        optional: fc.boolean(),
        start: fc.constant(0),
        end: fc.constant(0),
      }),
      fc
        .tuple(self, self)
        .map(([object, index]): Node => ({ kind: 'index', object, index, ...at })),
      self.map((operand): Node => ({ kind: 'not', operand, ...at })),
      fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), self, self)
        .map(([operator, left, right]): Node => ({ kind: 'logic', operator, left, right, ...at })),
      fc
        .tuple(fc.constantFrom(...negatable, ...ordered), fc.boolean(), self, self)
        .map(([operator, negate, left, right]): Node => ({
          kind: 'compare',
          operator,
          negated: negate && negatable.includes(operator),
          folded: false,
          left,
          right,
          ...at,
        })),
      fc
        .tuple(self, self, self)
        .map(([test, yes, no]): Node => ({ kind: 'choose', test, yes, no, ...at })),
      fc.array(self, { maxLength: 3 }).map((items): Node => ({ kind: 'list', items, ...at })),
      fc
        .array(fc.record({ key: fc.string({ maxLength: 4 }), value: self }), { maxLength: 2 })
        .map((entries): Node => ({ kind: 'map', entries, ...at })),
      self.map((list): Node => ({ kind: 'call', name: 'len', list, ...at })),
      fc
        .tuple(fc.constantFrom('any', 'all', 'none', 'filter', 'map'), self, tie('inside'))
        .map(([call, list, body]): Node => ({ kind: 'call', name: call, list, body, ...at })),
    )
  const named = name.map((one): Node => ({ kind: 'name', name: one, ...at }))
  const element = fc.constant<Node>({ kind: 'name', name: '#', ...at })
  return {
    node: parts(tie('node'), named),
    inside: parts(tie('inside'), fc.oneof(named, element)),
  }
})

test('what is printed is read as the same expression again', () => {
  fc.assert(
    fc.property(anyNode, (tree) => {
      const text = print(tree)
      const again = parseExpression(text).root
      expect(bare(again), text).toEqual(bare(tree))
      expect(print(again)).toBe(print(tree))
    }),
    { numRuns: 2_000 },
  )
})

const word = fc.constantFrom(
  ...`$query envs.a a . [ ] ( ) { } "x" 1 - ! and or not NOT in contains matches == < > ? : ,`.split(
    ' ',
  ),
  ...'any( len( map( nil true && || ?. exactlyMatches doesNotContain'.split(' '),
)

test('whatever can be read is printed so that it means the same', () => {
  let read = 0
  fc.assert(
    fc.property(fc.array(word, { maxLength: 9 }), (words) => {
      const text = words.join(' ')
      let root: Node
      try {
        ;({ root } = parseExpression(text))
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError)
        return
      }
      read++
      expect(bare(parseExpression(print(root)).root), text).toEqual(bare(root))
    }),
    { numRuns: 20_000 },
  )
  expect(read).toBeGreaterThan(200)
})

test.each([
  ['a or b and c', 'a or (b and c)'],
  ['a AND b AND NOT c', 'a and b and not c'],
  ['$query doesNotContain "x"', '$query not contains "x"'],
  ['not a == 1 ? b : c ? d : e', 'not (a == 1) ? b : (c ? d : e)'],
  ['any(envs.tags, .size > 1)', 'any(envs.tags, {#.size > 1})'],
  ['(-5)[0] > -1', '(-5)[0] > -1'],
])('%s is understood as %s', (text, expected) => {
  expect(print(parseExpression(text).root)).toBe(expected)
})
