import { defineQuery } from '../define.ts'
import { COMMON_PARAMETERS, boolPrefixField, onField, readFullText } from '../full-text.ts'
import { boosted } from '../node.ts'
import { readFieldParameters } from '../parameters.ts'

const names = {
  name: 'match_bool_prefix',
  parameters: [
    ...COMMON_PARAMETERS,
    'operator',
    'minimum_should_match',
    'fuzziness',
    'prefix_length',
    'max_expansions',
    'fuzzy_transpositions',
  ],
  refused: ['_name', 'fuzzy_rewrite'],
}

/** Words of a text, the last one as the beginning of one. */
export const matchBoolPrefixQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'query', body, context)
    const query = readFullText(parameters, context)
    return boosted(onField(boolPrefixField, field, query, context), parameters.number('boost', 1))
  },
})
