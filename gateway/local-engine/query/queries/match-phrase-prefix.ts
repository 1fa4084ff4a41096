import { defineQuery } from '../define.ts'
import { COMMON_PARAMETERS, phrasePrefixField, onField, readFullText } from '../full-text.ts'
import { boosted } from '../node.ts'
import { readFieldParameters } from '../parameters.ts'

const names = {
  name: 'match_phrase_prefix',
  parameters: [...COMMON_PARAMETERS, 'slop', 'max_expansions'],
  refused: ['_name'],
}

/** A phrase whose last word is the beginning of one. */
export const matchPhrasePrefixQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'query', body, context)
    const query = readFullText(parameters, context)
    return boosted(onField(phrasePrefixField, field, query, context), parameters.number('boost', 1))
  },
})
