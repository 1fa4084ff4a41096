import { z } from 'zod'
import { changeSearchTexts } from '../declarative/change-queries.ts'
import { defineStage } from './define.ts'
import { replaceWholeWords } from './whole-words.ts'

/** Replaces whole words in the text of every search, whatever their case. */
export const replaceWords = defineStage({
  use: 'replaceWords',
  summary: 'Replace words in the search text',
  inputs: z.strictObject({
    data: z.record(z.string(), z.string()).describe('Word to find → text to put in its place'),
  }),
  run({ request }, { data }) {
    const body = changeSearchTexts(request.body, replaceWholeWords(new Map(Object.entries(data))))
    return { changes: { request: { body } } }
  },
})
