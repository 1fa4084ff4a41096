import { failures } from '../../errors.ts'
import { defineQuery } from '../define.ts'
import { searchableField } from '../fields.ts'
import { fuzzyNode, readFuzziness } from '../fuzziness.ts'
import { boosted, NONE } from '../node.ts'
import { readFieldParameters } from '../parameters.ts'
import { failedToCreate } from '../values.ts'

const names = {
  name: 'fuzzy',
  parameters: ['value', 'fuzziness', 'prefix_length', 'max_expansions', 'transpositions', 'boost'],
  refused: ['_name', 'rewrite'],
}

/** Documents with a term few edits away. */
export const fuzzyQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'value', body, context)
    const value = parameters.text('value')
    if (value === undefined) throw failures.illegalArgument('query value cannot be null')
    const boost = parameters.number('boost', 1)
    const fuzziness = readFuzziness(parameters, 'transpositions', 'AUTO')
    const mapping = searchableField(context.fields, field)
    if (!mapping) return NONE
    if (mapping.type !== 'text' && mapping.type !== 'keyword')
      throw failedToCreate(
        `Can only use fuzzy queries on keyword and text fields - not on [${field}] which is of type [${mapping.type}]`,
      )
    if (fuzziness.prefixLength < 0) throw failedToCreate('prefixLength cannot be negative.')
    if (fuzziness.maxExpansions < 1) throw failedToCreate('maxExpansions must be positive.')
    return boosted(fuzzyNode(field, value, fuzziness), boost)
  },
})
