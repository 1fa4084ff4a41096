import { failures } from '../../errors.ts'
import { defineQuery, isObject } from '../define.ts'
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
    if (isObject(body) && body[field] === null)
      throw failures.illegalArgument('field name is null or empty')
    const value = parameters.value('value')
    if (value === undefined || value === null || isObject(value))
      throw failures.illegalArgument('value cannot be null')
    const boost = parameters.number('boost', 1)
    if (field === '_id') return boosted({ kind: 'ids', ids: [plainText(value)] }, boost)
    const mapping = searchableField(context.fields, field)
    if (!mapping) return NONE
    // A list is taken for the text it would be printed as, in fields that hold text.
    const one = Array.isArray(value) ? `[${value.map(plainText).join(', ')}]` : value
    return boosted(exactNode(mapping, one, context), boost)
  },
})
