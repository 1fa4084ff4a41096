import { z } from 'zod'
import { changeAnswers } from '../declarative/respond/change-answers.ts'
import { defineStage } from './define.ts'

/** Adds the same data to the answer of every query, for the client to show. */
export const customData = defineStage({
  use: 'customData',
  summary: 'Add data to every answer',
  inputs: z.strictObject({
    data: z
      .unknown()
      .refine((data) => data !== undefined, 'is missing')
      .describe('Any JSON; clients find it as `customData`'),
  }),
  run({ response }, { data }) {
    const body = changeAnswers(response.body, (answer) => ({ ...answer, customData: data }))
    return { changes: { response: { body } } }
  },
})
