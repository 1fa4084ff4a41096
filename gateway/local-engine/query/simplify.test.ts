import { expect, test } from 'vitest'
import { boolOf, boosted, type QueryNode } from './node.ts'
import { simplify } from './simplify.ts'

const term = (word: string): QueryNode => ({ kind: 'term', field: 'title', term: word })
const anyOf = (...should: QueryNode[]) => boolOf({ should })

test('equal disjunctions are joined as wholes, before disjunctions are opened', () => {
  const either = anyOf(term('in'), term('paris'))
  expect(simplify(anyOf(either, either, term('night')))).toEqual(
    anyOf(boosted(either, 2), term('night')),
  )
})

test('clauses that become equal once disjunctions are opened are joined, too', () => {
  expect(simplify(anyOf(anyOf(term('in'), term('paris')), term('in')))).toEqual(
    anyOf(boosted(term('in'), 2), term('paris')),
  )
})
