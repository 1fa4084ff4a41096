import { defineQuery, isObject, malformed } from '../define.ts'
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
    if (given === undefined)
      throw malformed(
        "[dis_max] requires 'queries' field with at least one clause",
        body,
        context,
        'end',
      )
    if (!isObject(given) && !Array.isArray(given))
      throw malformed('[dis_max] query does not support [queries]', body, context, {
        value: 'queries',
      })
    if (Array.isArray(given) && given.length === 0)
      throw malformed('[_na] query malformed, must start with start_object', given, context, 'end')
    const queries = Array.isArray(given)
      ? given.map((_, i) => context.parse(given, i))
      : [context.parse(parameters.body, 'queries')]
    const tieBreaker = Math.fround(parameters.number('tie_breaker', 0))
    return boosted({ kind: 'disMax', queries, tieBreaker }, parameters.number('boost', 1))
  },
})
