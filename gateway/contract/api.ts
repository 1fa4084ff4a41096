import { z } from 'zod'
import { Diagnostic } from './diagnostic.ts'
import { ExplainRequest, RequestExplanation } from './explain.ts'
import { SendRequest, SendResponse } from './exchange.ts'
import { PipelineEdit, PipelineEditResult } from './pipeline-edit.ts'
import { PipelineCheck, PipelineModel } from './pipeline.ts'
import { StageDoc } from './stage.ts'
import { RunSummary, StageSnapshot, Trace } from './trace.ts'
import { AppState, EngineState, EnvironmentSecret, FileText, Workspace } from './workspace.ts'

const Json = z.record(z.string(), z.unknown())

/** The control API. One line per endpoint; both sides derive from it. All need the token. */
export const api = {
  'GET /api/state': { response: AppState },
  'POST /api/workspace/sample': { response: Workspace },
  'POST /api/workspace/open': { body: z.object({ dir: z.string() }), response: Workspace },
  'GET /api/workspace/file': { query: z.object({ path: z.string() }), response: FileText },
  'PUT /api/workspace/file': {
    body: FileText.extend({ etag: z.string().nullable() }),
    response: FileText.pick({ path: true, etag: true }),
  },
  'POST /api/workspace/environment': {
    body: z.object({ environment: z.string().nullable() }),
    response: Workspace,
  },
  'GET /api/workspace/secrets': { response: z.array(EnvironmentSecret) },
  /** Values go in and never come out; null forgets one. */
  'PUT /api/workspace/secret': {
    body: EnvironmentSecret.omit({ isSet: true }).extend({ value: z.string().nullable() }),
    response: z.array(EnvironmentSecret),
  },
  /** Files with mistakes are listed, too, when they are no pipelines; they have no model. */
  'GET /api/pipelines': {
    response: z.array(
      z.object({
        file: z.string(),
        diagnostics: z.array(Diagnostic),
        model: PipelineModel.optional(),
      }),
    ),
  },
  'POST /api/check': {
    body: z.object({ path: z.string(), text: z.string() }),
    response: PipelineCheck,
  },
  'POST /api/explain': { body: ExplainRequest, response: RequestExplanation },
  'POST /api/pipeline/edit': {
    body: z.object({ path: z.string(), text: z.string(), edit: PipelineEdit }),
    response: PipelineEditResult,
  },
  'GET /api/schema/pipeline': { response: Json },
  'GET /api/stages': { response: z.array(StageDoc) },
  /** TypeScript declarations of what scripts see; paths are those of a folder with modules. */
  'GET /api/script-types': {
    response: z.array(z.object({ path: z.string(), text: z.string() })),
  },
  'POST /api/send': { body: SendRequest, response: SendResponse },
  'GET /api/runs': { response: z.array(RunSummary) },
  'GET /api/runs/:runId': { response: Trace },
  'GET /api/runs/:runId/stages/:stageId': { response: StageSnapshot },
  'GET /api/runs/:runId/har': { response: Json },
  'POST /api/engine': { body: z.object({ url: z.string() }), response: EngineState },
} as const

type Api = typeof api
/** Method and path, as the table writes them. */
export type Endpoint = keyof Api
/** What an endpoint is sent; `undefined` where it takes no body. */
export type BodyOf<E extends Endpoint> = Api[E] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : undefined
/** What an endpoint answers. */
export type ResponseOf<E extends Endpoint> = z.output<Api[E]['response']>
