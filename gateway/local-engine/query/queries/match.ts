import { defineQuery, malformed } from '../define.ts'
import { COMMON_PARAMETERS, matchField, onField, readFullText } from '../full-text.ts'
import { boosted } from '../node.ts'
import { readFieldParameters } from '../parameters.ts'

const names = {
  name: 'match',
  parameters: [
    ...COMMON_PARAMETERS,
    'operator',
    'minimum_should_match',
    'fuzziness',
    'prefix_length',
    'max_expansions',
    'fuzzy_transpositions',
    'lenient',
    'auto_generate_synonyms_phrase_query',
  ],
  refused: ['_name', 'fuzzy_rewrite', 'cutoff_frequency'],
}

/** Any or all words of a text in one field. */
export const matchQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'query', body, context)
    if (parameters.text('query') === undefined)
      throw malformed('No text specified for text query', body, context, 'end')
    const query = readFullText(parameters, context)
    return boosted(onField(matchField, field, query, context), parameters.number('boost', 1))
  },
})
