import { z } from 'zod'
import { Diagnostic, SourceRange } from './diagnostic.ts'

/** Access-control categories; spec, Route. */
export const Category = z.enum([
  'docs', 'search', 'indices', 'cat', 'clusters', 'misc', 'user', 'permission', 'analytics',
  'streams', 'rules', 'suggestions', 'auth', 'declarative', 'searchrelevancy', 'synonyms',
  'searchgrader', 'uibuilder', 'logs', 'cache', 'storedquery', 'sync', 'pipelines',
]) // prettier-ignore
export type Category = z.infer<typeof Category>

/** Sub-categories; spec, Route. */
export const Acl = z.enum([
  'cat', 'bulk', 'cluster', 'search', 'remote', 'create', 'count', 'scripts', 'delete', 'doc',
  'source', 'field_caps', 'close', 'analyze', 'exists', 'get', 'template', 'explain', 'indices',
  'alias', 'aliases', 'delete_by_query', 'cache', 'index', 'mapping', 'flush', 'forcemerge',
  'upgrade', 'settings', 'open', 'recovery', 'mappings', 'rollover', 'refresh', 'segments',
  'shrink', 'split', 'shard_stores', 'stats', 'ingest', 'validate', 'msearch', 'mget', 'nodes',
  'mtermvectors', 'reindex', 'update_by_query', 'render', 'rank_eval', 'search_shards', 'snapshot',
  'tasks', 'termvectors', 'update',
]) // prettier-ignore
export type Acl = z.infer<typeof Acl>

/** HTTP methods a route may listen on. */
export const Method = z.enum([
  'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE',
]) // prettier-ignore

/** Decides whether a matching request is taken. Bounds are unix seconds or ISO 8601 text. */
export const Trigger = z.looseObject({
  type: z
    .enum(['always', 'filter', 'index', 'query', 'cron'])
    .optional()
    .describe('When the pipeline is considered; `always` when left out'),
  expression: z.string().optional().describe('Condition, or the schedule when the type is cron'),
  timeframe: z
    .looseObject({
      start_time: z.union([z.number(), z.string()]).optional().describe('Valid from, inclusive'),
      end_time: z.union([z.number(), z.string()]).optional().describe('Valid until, exclusive'),
    })
    .optional()
    .describe('The period in which the trigger is valid'),
})
export type Trigger = z.infer<typeof Trigger>

/** One route a pipeline listens on. */
export const Route = z.looseObject({
  path: z.string().describe('Path template; `{index}` stands for one segment'),
  method: Method.describe('HTTP method that triggers the pipeline'),
  classify: z
    .looseObject({
      category: Category.describe('Category of the route, for access control'),
      acl: Acl.optional().describe('Sub-category of the route'),
    })
    .optional()
    .describe('Puts the route into a category; recommended on every route'),
  recordLogs: z
    .boolean()
    .optional()
    .describe('Keep a log record of each request; false by default'),
})
export type Route = z.infer<typeof Route>

/** One stage: pre-built (`use`) or a script (`script` or `scriptRef`). */
export const StageEntry = z.looseObject({
  id: z.string().optional().describe('Unique name among the stages; the `use` name by default'),
  use: z.string().optional().describe('Name of a pre-built stage'),
  script: z.string().optional().describe('Inline JavaScript that defines handleRequest()'),
  scriptRef: z.string().optional().describe('Path of a JavaScript file, used in place of `script`'),
  enabled: z.boolean().optional().describe('false leaves the stage out; true by default'),
  async: z
    .boolean()
    .optional()
    .describe('Run in parallel; may add keys but not change existing ones'),
  continueOnError: z
    .boolean()
    .optional()
    .describe('true (default): a failure is recorded and the run goes on'),
  needs: z.array(z.string()).optional().describe('Ids of stages that must have finished before'),
  inputs: z.record(z.string(), z.unknown()).optional().describe('Parameters of a pre-built stage'),
  description: z.string().optional().describe('Free text'),
  trigger: z
    .looseObject({ expression: z.string().optional().describe('Boolean expression') })
    .optional()
    .describe('Decides whether the stage runs; sees envs, context and inputs'),
})
export type StageEntry = z.infer<typeof StageEntry>

/** The request that checks a global environment variable before it is created. */
export const EnvValidation = z.looseObject({
  url: z.string().describe('Address to request; ${KEY} is substituted'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).optional().describe('GET by default'),
  body: z.unknown().optional().describe('Request body'),
  headers: z.record(z.string(), z.string()).optional().describe('Request headers'),
  expected_status: z.number().int().optional().describe('Status that counts as valid'),
})

/** A variable shared by all pipelines of a cluster. Its value is a secret. */
export const GlobalEnv = z.looseObject({
  id: z.string().optional().describe('Unique identifier'),
  label: z.string().optional().describe('Display name'),
  key: z.string().describe('Name under which pipelines read it: context.envs.<KEY>'),
  value: z.string().describe('Content; treated as a secret'),
  description: z.string().optional().describe('What the variable is for'),
  validate: EnvValidation.optional().describe('Request that proves the value works'),
})
export type GlobalEnv = z.infer<typeof GlobalEnv>

/** A pipeline as its author writes it, in canonical names; spec, Pipeline. Unknown keys are kept. */
export const PipelineDefinition = z.looseObject({
  id: z
    .string()
    .regex(/^[a-zA-Z0-9_-]*$/)
    .optional()
    .describe('Unique id; taken from the file name when left out'),
  enabled: z.boolean().optional().describe('false: the pipeline never matches'),
  description: z.string().optional().describe('Free text'),
  priority: z.number().optional().describe('Higher is tried first; 0 by default'),
  routes: z.array(Route).min(1).describe('Routes the pipeline listens on'),
  envs: z.record(z.string(), z.unknown()).optional().describe('Variables for context.envs'),
  trigger: Trigger.optional().describe('Decides whether a matching request is taken'),
  stages: z.array(StageEntry).min(1).describe('What happens to a request, in order'),
  global_envs: z.array(GlobalEnv).optional().describe('Shared variables to create on save'),
  validateContext: z.string().optional().describe('Sample context of an editor; opaque'),
})
export type PipelineDefinition = z.infer<typeof PipelineDefinition>

/** One stage as the graph and the outline show it. */
export const StageModel = z.object({
  id: z.string(),
  index: z.number(),
  use: z.string().optional(),
  /** Workspace path of the script file, when there is one. */
  scriptFile: z.string().optional(),
  inlineScript: z.boolean(),
  async: z.boolean(),
  enabled: z.boolean(),
  continueOnError: z.boolean(),
  needs: z.array(z.string()),
  triggerExpression: z.string().optional(),
  description: z.string().optional(),
  source: SourceRange,
})
export type StageModel = z.infer<typeof StageModel>

/** What the workbench shows of one pipeline; absent parts mean the text did not say. */
export const PipelineModel = z.object({
  pipelineId: z.string(),
  file: z.string(),
  description: z.string().optional(),
  enabled: z.boolean(),
  priority: z.number(),
  routes: z.array(
    z.object({ method: z.string(), path: z.string(), category: z.string().optional() }),
  ),
  stages: z.array(StageModel),
  envs: z.array(z.string()),
  globalEnvs: z.array(z.string()),
})
export type PipelineModel = z.infer<typeof PipelineModel>

/** Result of checking one pipeline text. `model` is absent when the text has errors. */
export const PipelineCheck = z.object({
  diagnostics: z.array(Diagnostic),
  model: PipelineModel.optional(),
})
export type PipelineCheck = z.infer<typeof PipelineCheck>
