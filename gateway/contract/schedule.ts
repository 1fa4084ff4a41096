import { z } from 'zod'

/** What happened to a scheduled pipeline instead of a run. Runs themselves are `run` events. */
export const ScheduleNotice = z.object({
  pipelineId: z.string(),
  /** `missed`: the gateway was not awake; `overlap`: the run before was still going. */
  kind: z.enum(['missed', 'overlap', 'failed']),
  /** When it should have run, epoch milliseconds; of several the first. */
  tick: z.number(),
  count: z.number(),
  /** A sentence for the user. */
  message: z.string(),
})
export type ScheduleNotice = z.infer<typeof ScheduleNotice>
