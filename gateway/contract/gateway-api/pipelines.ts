import { z } from 'zod'
import { Route } from '../pipeline.ts'
import { MessageBody } from './messages.ts'

/** A pipeline's text. The ending tells how it is read; others than these three are refused with 422. */
export const PipelineSource = z.object({
  content: z.string().describe('The text, comments and order included'),
  extension: z.string().describe('yaml, yml or json'),
  validateContext: z.string().optional().describe('Sample context of an editor; opaque'),
})

/** The text of one script file. */
export const ScriptSource = z.object({
  content: z.string(),
  extension: z.string().optional().describe('js'),
})

/** Scripts by the very text of their `scriptRef`. */
export const ScriptSources = z.record(z.string(), ScriptSource)

/**
 * A pipeline with its scripts. As a form: part `pipeline` and one part per script, named as its
 * `scriptRef`; each is a file, or a text with this JSON.
 */
export const PipelineSubmission = z.object({
  pipeline: PipelineSource,
  scripts: ScriptSources.default({}),
  description: z.string().optional().describe('What is new; kept with a version'),
})
export type PipelineSubmission = z.infer<typeof PipelineSubmission>

/** A global env whose value a save has changed, and who else reads it (decisions.md 19). */
export const ChangedEnv = z.object({
  key: z.string(),
  read_by: z.array(z.string()).describe('Ids of other pipelines that read it'),
})
export type ChangedEnv = z.infer<typeof ChangedEnv>

/** One version of a pipeline as it is read. Times are unix seconds. */
export const PipelineItem = z.object({
  id: z.string(),
  _version: z.number().int(),
  _version_description: z.string().optional(),
  is_live: z.boolean(),
  enabled: z.boolean(),
  priority: z.number(),
  description: z.string().optional(),
  routes: z.array(Route),
  created_at: z.number(),
  updated_at: z.number(),
  content: z.string().describe('The text as it was saved; values of global_envs are masked'),
  extension: z.string(),
  usage: z.number().int().describe('Runs that were counted, of all versions'),
  validateContext: z.string().optional(),
  etag: z.string().describe('For if-match; also the answer’s etag where there is one item'),
})
export type PipelineItem = z.infer<typeof PipelineItem>

/** What a save answers besides its message. */
export const PipelineSaved = MessageBody.extend({
  id: z.string(),
  _version: z.number().int(),
  changed_envs: z.array(ChangedEnv),
})

/** A stored definition in canonical names, secrets masked, as creating it answers. */
export const PipelineCreated = z.looseObject({
  id: z.string(),
  _version: z.number().int(),
  is_live: z.boolean(),
  enabled: z.boolean(),
  priority: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  changed_envs: z.array(ChangedEnv),
})

/** A script of a stored pipeline; `key` is its `scriptRef`. */
export const PipelineScript = z.object({
  id: z.string(),
  key: z.string(),
  content: z.string(),
  extension: z.literal('js'),
})

/** Path of one pipeline. */
export const PipelinePath = z.object({ id: z.string() })
/** Path of one version, which is written in plain digits. */
export const VersionPath = PipelinePath.extend({
  v: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: ({ input }) => `"${String(input)}" is no version number` })
    .transform(Number),
})
/** Which script. */
export const ScriptQuery = z.object({ key: z.string().min(1).describe('Text of the scriptRef') })
