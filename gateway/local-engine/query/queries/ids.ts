import { defineQuery } from '../define.ts'
import { boosted } from '../node.ts'
import { plainText, readParameters } from '../parameters.ts'

const names = { name: 'ids', parameters: ['values', 'boost'], refused: ['_name', 'type'] }

/** Documents of given ids. */
export const idsQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const values = parameters.value('values')
    const ids = (values === undefined ? [] : Array.isArray(values) ? values : [values]).map(
      plainText,
    )
    return boosted({ kind: 'ids', ids }, parameters.number('boost', 1))
  },
})
