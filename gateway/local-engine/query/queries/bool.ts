import { defineQuery, type ParseContext } from '../define.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { ALL, boolOf, boosted, type QueryNode } from '../node.ts'
import { readParameters } from '../parameters.ts'

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
  refused: ['_name'],
}

/** Queries that must, should or must not match. */
export const boolQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const must = clauses(parameters.value('must'), context)
    const should = clauses(parameters.value('should'), context)
    const filter = clauses(parameters.value('filter'), context)
    const mustNot = clauses(parameters.value('must_not'), context)
    const minimum = parameters.text('minimum_should_match')
    const boost = parameters.number('boost', 1)
    const positive = must.length + should.length + filter.length
    if (positive + mustNot.length === 0) return boosted(ALL, boost)
    const matchOthers = positive === 0 && parameters.flag('adjust_pure_negative', true)
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

function clauses(value: unknown, context: ParseContext): QueryNode[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.map((one) => context.parse(one)) : [context.parse(value)]
}
