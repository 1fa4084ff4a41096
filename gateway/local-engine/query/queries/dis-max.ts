import { defineQuery, malformed } from '../define.ts'
import { boosted } from '../node.ts'
import { readParameters } from '../parameters.ts'

const names = {
  name: 'dis_max',
  parameters: ['queries', 'tie_breaker', 'boost'],
  refused: ['_name'],
}

/** The best of several queries, and a part of the others. */
export const disMaxQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const given = parameters.value('queries')
    const list = given === undefined ? [] : Array.isArray(given) ? given : [given]
    if (list.length === 0)
      throw malformed("[dis_max] requires 'queries' field with at least one clause", body, context)
    const queries = list.map((one) => context.parse(one))
    const tieBreaker = Math.fround(parameters.number('tie_breaker', 0))
    return boosted({ kind: 'disMax', queries, tieBreaker }, parameters.number('boost', 1))
  },
})
