import { failures, queryShardFailure } from '../../errors.ts'
import { defineQuery } from '../define.ts'
import { searchableField } from '../fields.ts'
import { boosted, NONE } from '../node.ts'
import { checkRewrite } from '../rewrite.ts'
import { readFieldParameters } from '../parameters.ts'

const names = {
  name: 'prefix',
  parameters: ['value', 'boost', 'rewrite'],
  refused: ['_name', 'case_insensitive'],
}

/** Documents with a term that begins so. */
export const prefixQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'value', body, context)
    const prefix = parameters.text('value')
    if (prefix === undefined) throw failures.illegalArgument('value cannot be null')
    checkRewrite(parameters)
    const boost = parameters.number('boost', 1)
    const mapping = searchableField(context.fields, field)
    if (!mapping) return NONE
    if (mapping.type !== 'text' && mapping.type !== 'keyword')
      throw queryShardFailure(
        `Can only use prefix queries on keyword and text fields - not on [${field}] which is of type [${mapping.type}]`,
      )
    return boosted({ kind: 'prefix', field, prefix }, boost)
  },
})
