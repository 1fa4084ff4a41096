import { failures, queryShardFailure } from '../../errors.ts'
import { createRegexpMatcher } from '../automaton/regexp.ts'
import { defineQuery } from '../define.ts'
import { searchableField } from '../fields.ts'
import { boosted, NONE } from '../node.ts'
import { checkRewrite } from '../rewrite.ts'
import { readFieldParameters } from '../parameters.ts'

const names = {
  name: 'regexp',
  parameters: ['value', 'boost', 'rewrite', 'max_determinized_states'],
  refused: ['_name', 'flags', 'case_insensitive'],
}

/** Documents with a term that fits a regular expression as a whole. */
export const regexpQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'value', body, context)
    const pattern = parameters.text('value')
    if (pattern === undefined) throw failures.illegalArgument('value cannot be null')
    const states = parameters.integer('max_determinized_states', 0)
    if (states < 0)
      throw failures.illegalArgument(
        `[regexp] max_determinized_states cannot be negative but was [${states}]`,
      )
    checkRewrite(parameters)
    const boost = parameters.number('boost', 1)
    const mapping = searchableField(context.fields, field)
    if (!mapping) return NONE
    if (mapping.type !== 'text' && mapping.type !== 'keyword')
      throw queryShardFailure(
        `Can only use regexp queries on keyword and text fields - not on [${field}] which is of type [${mapping.type}]`,
      )
    // Refuses what it cannot read before anything runs.
    createRegexpMatcher(pattern)
    return boosted({ kind: 'regexp', field, pattern }, boost)
  },
})
