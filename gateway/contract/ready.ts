import { z } from 'zod'

/** The one line `serve` prints on stdout when it is ready. Secrets only with --print-credentials. */
export const Ready = z.object({
  event: z.literal('ready'),
  gateway: z.string(),
  engine: z.string(),
  control: z.string(),
  token: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  pid: z.number(),
})
export type Ready = z.infer<typeof Ready>
