import { z } from 'zod'
import { changeSearchTexts } from '../declarative/change-queries.ts'
import { defineStage } from './define.ts'
import { replaceWholeWords } from './whole-words.ts'

/** Removes whole words from the text of every search, whatever their case, and the gaps they leave. */
export const removeWords = defineStage({
  use: 'removeWords',
  summary: 'Remove words from the search text',
  inputs: z.strictObject({
    data: z.array(z.string()).describe('Words to take out'),
  }),
  run({ request }, { data }) {
    const remove = replaceWholeWords(new Map(data.map((word) => [word, ''])))
    const body = changeSearchTexts(request.body, (text) => {
      const rest = remove(text)
      return rest === text ? text : rest.replaceAll(/\s+/g, ' ').trim()
    })
    return { changes: { request: { body } } }
  },
})
