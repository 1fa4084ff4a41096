import { z } from 'zod'
import { parseRequest } from '../declarative/parse-request.ts'
import { changeAnswers } from '../declarative/respond/change-answers.ts'
import { pickSource } from '../declarative/respond/pick-source.ts'
import type { Context } from '../contract/context.ts'
import { defineStage } from './define.ts'

/** Adds documents to every answer, for the client to place among the hits. */
export const promoteResults = defineStage({
  use: 'promoteResults',
  summary: 'Promote documents in every answer',
  inputs: z.strictObject({
    data: z
      .array(
        z.strictObject({
          doc: z.record(z.string(), z.unknown()).describe('The document to show'),
          position: z.int().min(0).describe('Place among the hits, from 0'),
        }),
      )
      .describe('Documents to promote, each with its place'),
  }),
  run(context, { data }) {
    const queries = queriesOf(context)
    const body = changeAnswers(context.response.body, (answer, id) => {
      const query = queries.get(id)
      const promoted = data.map(({ doc, position }) => ({
        doc: pickSource(doc, query?.includeFields, query?.excludeFields),
        position,
      }))
      return { ...answer, promoted }
    })
    return { changes: { response: { body } } }
  },
})

/** The queries as they came, when declarativeQuery has translated them. */
function queriesOf({ envs }: Context) {
  const original = envs.ORIGINAL_RS_BODY
  const { query } = typeof original === 'string' ? parseRequest(original) : { query: [] }
  return new Map(query.map((one) => [one.id, one]))
}
