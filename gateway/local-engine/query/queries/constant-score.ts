import { defineQuery, isObject, malformed, tokenName } from '../define.ts'
import { boosted, constant } from '../node.ts'
import { readParameters } from '../parameters.ts'

const names = { name: 'constant_score', parameters: ['filter', 'boost'], refused: ['_name'] }

/** A query whose every hit scores the boost. */
export const constantScoreQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const filter = parameters.value('filter')
    if (filter === undefined)
      throw malformed("[constant_score] requires a 'filter' element", body, context, 'end')
    if (!isObject(filter))
      throw malformed(`unexpected token [${tokenName(filter)}]`, body, context, { value: 'filter' })
    return boosted(
      constant(context.parse(parameters.body, 'filter')),
      parameters.number('boost', 1),
    )
  },
})
