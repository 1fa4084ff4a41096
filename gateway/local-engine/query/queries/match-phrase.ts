import { defineQuery } from '../define.ts'
import { COMMON_PARAMETERS, phraseField, onField, readFullText } from '../full-text.ts'
import { boosted } from '../node.ts'
import { readFieldParameters } from '../parameters.ts'

const names = {
  name: 'match_phrase',
  parameters: [...COMMON_PARAMETERS, 'slop'],
  refused: ['_name'],
}

/** The words of a text one after another. */
export const matchPhraseQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'query', body, context)
    const query = readFullText(parameters, context)
    return boosted(onField(phraseField, field, query, context), parameters.number('boost', 1))
  },
})
