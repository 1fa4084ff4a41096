import { defineQuery } from '../define.ts'
import { NONE } from '../node.ts'
import { readParameters } from '../parameters.ts'

const names = { name: 'match_none', parameters: ['boost'], refused: ['_name'] }

/** No document. */
export const matchNoneQuery = defineQuery({
  ...names,
  parse(body, context) {
    readParameters(names, body, context)
    return NONE
  },
})
