import { z } from 'zod'
import { Context, HeaderMap } from '../context.ts'
import { Method } from '../pipeline.ts'
import { PipelineSource, ScriptSources } from './pipelines.ts'

/** The request a pipeline is tried with. What is left out comes from its first route. */
export const TrialRequest = z.object({
  body: z.unknown().optional().describe('The body as text; other JSON is sent as its text'),
  headers: HeaderMap.default({}),
  method: Method.optional(),
  url: z.string().optional().describe('Path and query, with or without the origin'),
  envs: z.record(z.string(), z.unknown()).optional().describe('Laid over the pipeline’s envs'),
})
export type TrialRequest = z.infer<typeof TrialRequest>

/** A pipeline to try, as a form with the parts `pipeline`, `request` and one per script, or as JSON. */
export const TrialSubmission = z.object({
  pipeline: PipelineSource,
  scripts: ScriptSources.default({}),
  request: TrialRequest.default({ headers: {} }),
})

/** What one stage did in a trial. Stages that did not run are left out. */
export const StageChange = z.object({
  id: z.string(),
  error: z.string().optional(),
  context: z
    .string()
    .describe('JSON text of the context after the stage; with verbose=false only what it changed'),
  contextLeftOut: z
    .literal(true)
    .optional()
    .describe('The run came to more than 32 MB of contexts, so this one is empty'),
  took: z.number().describe('Milliseconds'),
})
export type StageChange = z.infer<typeof StageChange>

/** What a trial came to, secrets masked. */
export const Trial = z.object({
  request: Context.shape.request.describe('As the last stage left it'),
  response: Context.shape.response,
  envs: Context.shape.envs,
  console_logs: z.array(z.string()),
  stageChanges: z.array(StageChange),
  took: z.number().describe('Milliseconds until the answer'),
  id: z.string().optional().describe('Where the stages in the background are reported'),
})
export type Trial = z.infer<typeof Trial>

/** What became of the stages in the background; kept for 30 minutes. */
export const BackgroundTrial = z.object({
  id: z.string(),
  done: z.boolean(),
  console_logs: z.array(z.string()).describe('What was written since the answer'),
  stageChanges: z.array(StageChange).describe('Stages that ended after the answer'),
  took: z.number().describe('Milliseconds since the beginning, until the end or until now'),
})
export type BackgroundTrial = z.infer<typeof BackgroundTrial>

/** How much a trial tells. */
export const TrialQuery = z.object({
  verbose: z
    .enum(['true', 'false'])
    .optional()
    .describe('false: what each stage changed instead of whole contexts'),
})
