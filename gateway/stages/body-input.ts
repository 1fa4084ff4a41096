import { z } from 'zod'

/** A body as an author writes it: text, or an object or list that is sent as JSON. */
export const BodyInput = z.union([
  z.string(),
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()),
])

/** The text that is sent. */
export const toBodyText = (body: z.infer<typeof BodyInput>) =>
  typeof body === 'string' ? body : JSON.stringify(body)
