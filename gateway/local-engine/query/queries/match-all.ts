import { defineQuery } from '../define.ts'
import { ALL, boosted } from '../node.ts'
import { readParameters } from '../parameters.ts'

const names = { name: 'match_all', parameters: ['boost'], refused: ['_name'] }

/** Every document. */
export const matchAllQuery = defineQuery({
  ...names,
  parse: (body, context) => boosted(ALL, readParameters(names, body, context).number('boost', 1)),
})
