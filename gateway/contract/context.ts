import { z } from 'zod'

/** Header names and values, flat; repeated headers are joined by a comma and a blank. */
export const HeaderMap = z.record(z.string(), z.string())
export type HeaderMap = z.infer<typeof HeaderMap>

/** What every stage reads and changes. Bodies are strings both ways; stages may add keys. */
export const Context = z.looseObject({
  request: z.object({ method: z.string(), url: z.string(), headers: HeaderMap, body: z.string() }),
  response: z.object({ code: z.number().int(), headers: HeaderMap, body: z.string() }),
  envs: z.record(z.string(), z.unknown()),
})
export type Context = z.infer<typeof Context>
