import { z } from 'zod'
import type { Context } from '../contract/context.ts'
import { parseRequest } from '../declarative/parse-request.ts'
import { Backend } from '../declarative/request.ts'
import { translateRequest } from '../declarative/translate-request.ts'
import type { StageServices } from './define.ts'

const Envs = z.looseObject({
  ORIGINAL_RS_BODY: z.string(),
  RS_BACKEND: Backend.optional(),
  urlValues: z.looseObject({ preference: z.string().optional() }).optional(),
})

/** The request as declarativeQuery found it, translated; undefined when that stage has not run. */
export function translateOriginal({ envs }: Context, { clientIp }: StageServices['route']) {
  const { data } = Envs.safeParse(envs)
  if (!data) return undefined
  const { ORIGINAL_RS_BODY: body, RS_BACKEND: backend, urlValues } = data
  return translateRequest(parseRequest(body), {
    preference: urlValues?.preference,
    clientIp,
    backend,
  })
}
