import { z } from 'zod'

/** A request the workbench sends through the gateway endpoint. */
export const SendRequest = z.object({
  /** Chosen by the sender; becomes the run's id when a pipeline takes the request. */
  runId: z.string(),
  method: z.string(),
  /** Path and query as typed, byte for byte. */
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
})
export type SendRequest = z.infer<typeof SendRequest>

/** The answer, as it came over the socket. */
export const SendResponse = z.object({
  runId: z.string(),
  /** True when a pipeline took the request, so that a trace exists. */
  traced: z.boolean(),
  status: z.number(),
  statusText: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Text as UTF-8; bodies that are no text are base64. Cut at 16 MB. */
  body: z.string(),
  encoding: z.enum(['utf8', 'base64']),
  bodyCut: z.boolean(),
  /** Size on the wire and after decompression. */
  wireBytes: z.number(),
  bodyBytes: z.number(),
  startTime: z.number(),
  /** Milliseconds until the first byte of the answer, and in all. */
  firstByteMs: z.number(),
  totalMs: z.number(),
})
export type SendResponse = z.infer<typeof SendResponse>
