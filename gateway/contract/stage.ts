import { z } from 'zod'

/** What the workbench shows of one pre-built stage; made from its definition. */
export const StageDoc = z.object({
  use: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  mayBeAsync: z.boolean(),
  /** JSON schema of its `inputs`. */
  inputs: z.record(z.string(), z.unknown()),
})
export type StageDoc = z.infer<typeof StageDoc>
