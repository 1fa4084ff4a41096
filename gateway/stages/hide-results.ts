import { z } from 'zod'
import { isJsonObject } from '../declarative/json-object.ts'
import { changeAnswers } from '../declarative/respond/change-answers.ts'
import { defineStage } from './define.ts'

/** Takes documents out of every answer and says in `hidden` how many they were. */
export const hideResults = defineStage({
  use: 'hideResults',
  summary: 'Hide documents from every answer',
  inputs: z.strictObject({
    data: z.array(z.string()).describe('Ids of the documents to hide'),
  }),
  run({ response }, { data }) {
    const ids = new Set<unknown>(data)
    const body = changeAnswers(response.body, (answer) => {
      const { hits } = answer
      if (!isJsonObject(hits) || !Array.isArray(hits.hits)) return answer
      const kept = hits.hits.filter((hit: unknown) => !ids.has(idOf(hit)))
      const hidden = hits.hits.length - kept.length
      return { ...answer, hits: { ...hits, hits: kept }, hidden }
    })
    return { changes: { response: { body } } }
  },
})

function idOf(hit: unknown) {
  const { _id: id } = isJsonObject(hit) ? hit : {}
  return id
}
