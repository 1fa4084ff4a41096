import { defineQuery, type ParseContext } from '../define.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { ALL, boolOf, boosted, type QueryNode } from '../node.ts'
import { readParameters, type Parameters } from '../parameters.ts'

const names = {
  name: 'bool',
  parameters: [
    'must',
    'should',
    'filter',
    'must_not',
    'minimum_should_match',
    'boost',
    'adjust_pure_negative',
  ],
  refused: ['_name', 'mustNot'],
}

/** Queries that must, should or must not match. */
export const boolQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const clausesOf = (name: Occurrence) => readClauses(name, parameters, context)
    const must = clausesOf('must')
    const should = clausesOf('should')
    const filter = clausesOf('filter')
    const mustNot = clausesOf('must_not')
    const minimum = parameters.text('minimum_should_match')
    const boost = parameters.number('boost', 1)
    const adjusts = parameters.flag('adjust_pure_negative', true)
    const positive = must.length + should.length + filter.length
    if (positive + mustNot.length === 0) return boosted(ALL, boost)
    const matchOthers = adjusts && positive === 0
    return boosted(
      boolOf({
        must,
        should,
        filter: matchOthers ? [ALL] : filter,
        mustNot,
        minimum: minimum === undefined ? 0 : minimumShouldMatch(should.length, minimum),
      }),
      boost,
    )
  },
})

type Occurrence = 'must' | 'should' | 'filter' | 'must_not'

function readClauses(name: Occurrence, parameters: Parameters, context: ParseContext): QueryNode[] {
  const { body } = parameters
  const value = body[name]
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return parameters.unexpected(name)
  return parameters.within(name, () =>
    Array.isArray(value)
      ? value.map((_, i) => context.parse(value, i))
      : [context.parse(body, name)],
  )
}
