import { z } from 'zod'

/** Answer of a write that has nothing else to tell; domain, section 7. */
export const MessageBody = z.object({
  code: z.number().int(),
  status: z.string(),
  message: z.string(),
})
export type MessageBody = z.infer<typeof MessageBody>

/** JSON with no shape of ours. */
export const AnyJson = z.record(z.string(), z.unknown())
