import { failures } from '../../errors.ts'
import { defineQuery } from '../define.ts'
import { searchableField } from '../fields.ts'
import { boosted, NONE } from '../node.ts'
import { plainText, readFieldParameters } from '../parameters.ts'
import { exactNode } from '../values.ts'

const names = {
  name: 'term',
  parameters: ['value', 'boost'],
  refused: ['_name', 'case_insensitive'],
}

/** Documents with one exact value in a field. */
export const termQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'value', body, context)
    const value = parameters.value('value')
    if (value === undefined || value === null || typeof value === 'object')
      throw failures.illegalArgument('value cannot be null')
    const boost = parameters.number('boost', 1)
    if (field === '_id') return boosted({ kind: 'ids', ids: [plainText(value)] }, boost)
    const mapping = searchableField(context.fields, field)
    return mapping ? boosted(exactNode(mapping, value, context), boost) : NONE
  },
})
