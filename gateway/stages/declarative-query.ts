import { z } from 'zod'
import { toAnswerPlan } from '../declarative/answer-plan.ts'
import { parseRequest } from '../declarative/parse-request.ts'
import { toMsearch } from '../declarative/to-msearch.ts'
import { translateRequest } from '../declarative/translate-request.ts'
import type { Context } from '../contract/context.ts'
import { defineStage } from './define.ts'

/** Translates the declarative request into the body of the engine's `_msearch`. */
export const declarativeQuery = defineStage({
  use: 'declarativeQuery',
  summary: 'Translate declarative queries for the search engine',
  needsCategory: 'declarative',
  inputs: z.strictObject({
    backend: z
      .enum(['elasticsearch', 'opensearch'])
      .optional()
      .describe('Engine to translate for; by default the request’s setting, else elasticsearch'),
  }),
  run(context, { backend }, { route }) {
    const { body } = context.request
    const request = parseRequest(body)
    const translated = translateRequest(request, {
      preference: preferenceOf(context),
      clientIp: route.clientIp,
      backend,
    })
    const endpoints = translated.items.filter(({ kind }) => kind === 'endpoint')
    return {
      changes: {
        request: { body: toMsearch(translated) },
        envs: {
          ORIGINAL_RS_BODY: body,
          RS_ANSWER_PLAN: toAnswerPlan(translated),
          RS_BACKEND: backend ?? request.settings?.backend ?? 'elasticsearch',
          ...(endpoints.length > 0 && { INDEPENDENT_REQUESTS: JSON.stringify(endpoints) }),
        },
      },
    }
  },
})

const UrlValues = z.looseObject({ urlValues: z.looseObject({ preference: z.string().optional() }) })

/** `?preference=` of the request. */
const preferenceOf = ({ envs }: Context) => UrlValues.safeParse(envs).data?.urlValues.preference
