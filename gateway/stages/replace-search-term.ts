import { z } from 'zod'
import { changeQueries, isTextQuery } from '../declarative/change-queries.ts'
import { defineStage } from './define.ts'

/** Puts one text in the place of what every search looks for; searches without a value stay. */
export const replaceSearchTerm = defineStage({
  use: 'replaceSearchTerm',
  summary: 'Replace the whole search text',
  inputs: z.strictObject({
    data: z.string().describe('Text to search for'),
  }),
  run({ request }, { data }) {
    const body = changeQueries(request.body, (queries) =>
      queries.map((query) => (isTextQuery(query) ? { ...query, value: data } : query)),
    )
    return { changes: { request: { body } } }
  },
})
