import { z } from 'zod'
import { ScheduleNotice } from './schedule.ts'
import { RunSummary, Span } from './trace.ts'
import { EngineState, Task, Workspace } from './workspace.ts'

/** Everything the gateway pushes. Add fields to these; think twice before adding a type. */
export const GatewayEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), run: RunSummary }),
  z.object({ type: z.literal('span'), span: Span }),
  z.object({ type: z.literal('workspace'), workspace: Workspace.nullable() }),
  z.object({ type: z.literal('fileChanged'), path: z.string(), etag: z.string().nullable() }),
  z.object({ type: z.literal('pipelines') }),
  z.object({ type: z.literal('engine'), engine: EngineState }),
  z.object({ type: z.literal('task'), task: Task }),
  z.object({ type: z.literal('schedule'), notice: ScheduleNotice }),
])
export type GatewayEvent = z.infer<typeof GatewayEvent>
