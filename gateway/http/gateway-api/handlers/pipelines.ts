import { z } from 'zod'
import { AnyJson, MessageBody } from '../../../contract/gateway-api/messages.ts'
import {
  PipelineCreated,
  PipelineItem,
  PipelinePath,
  PipelineSaved,
  PipelineScript,
  PipelineSubmission,
  ScriptQuery,
} from '../../../contract/gateway-api/pipelines.ts'
import { errors } from '../../../errors.ts'
import { maskAll } from '../../../trace/masking.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'
import { etagHeader, toCondition } from '../if-match.ts'
import { toMessage } from '../message.ts'
import { answerItem, toItems, withoutSecrets } from '../pipeline-item.ts'
import { savePipeline } from '../save-pipeline.ts'
import { findPipeline, findScript } from '../stored-pipelines.ts'
import { toDraft } from '../to-draft.ts'

/** Words of this API that stand where an id would. */
const RESERVED_IDS = new Set(['schema', 'validate'])

/** Pipelines as they are live; domain, sections 3.1 and 3.2. */
export const pipelineRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/_pipelines',
    summary: 'All pipelines, in order of their ids',
    access: 'admin',
    response: z.array(PipelineItem),
    handler: async (_request, services) => ({
      body: await toItems(services.library.list(), services),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/_pipeline',
    summary: 'Create a pipeline with its scripts and global envs',
    access: 'admin',
    status: 201,
    form: true,
    guarded: true,
    failures: [409, 422],
    body: PipelineSubmission,
    response: PipelineCreated,
    async handler({ body, ifMatch }, services) {
      const draft = toDraft(body)
      const { id } = services.library.check(draft)
      toCondition(ifMatch, undefined, 'A new pipeline')
      if (id !== undefined && RESERVED_IDS.has(id))
        throw errors.pipelineInvalid(`The id "${id}" is a word of this API; choose another`)
      if (id !== undefined && services.library.get(id))
        throw errors.conflict(
          `A pipeline with the id "${id}" exists; change it with PUT /_pipeline/${id}`,
        )
      const { stored, definition, changedEnvs } = await savePipeline(draft, services, {
        write: services.library.create,
      })
      return {
        headers: { ...etagHeader(stored.etag), location: `/_pipeline/${stored.id}` },
        body: {
          ...maskAll(
            withoutSecrets(services.definitionOf(stored) ?? definition),
            services.maskOfNow(),
          ),
          id: stored.id,
          _version: stored.version,
          is_live: stored.isLive,
          enabled: stored.enabled,
          priority: stored.priority,
          created_at: stored.createdAt,
          updated_at: stored.updatedAt,
          changed_envs: changedEnvs,
        },
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/schema',
    summary: 'JSON schema of the pipeline definition',
    access: 'admin',
    response: AnyJson,
    handler: (_request, { pipelineSchema }) => ({ body: pipelineSchema() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}',
    summary: 'The live version of a pipeline',
    access: 'admin',
    failures: [404],
    params: PipelinePath,
    response: PipelineItem,
    handler: ({ params }, services) => answerItem(findPipeline(params.id, services), services),
  }),
  defineRoute({
    method: 'PUT',
    path: '/_pipeline/{id}',
    summary: 'Replace the live version of a pipeline',
    access: 'admin',
    form: true,
    guarded: true,
    failures: [404, 409, 422],
    params: PipelinePath,
    body: PipelineSubmission,
    response: PipelineSaved,
    async handler({ params: { id }, body, ifMatch }, services) {
      const before = findPipeline(id, services)
      const draft = toDraft(body)
      const condition = toCondition(ifMatch, before.etag, `Pipeline "${id}"`)
      const { stored, changedEnvs } = await savePipeline(draft, services, {
        id,
        write: (sealed) => services.library.update(id, sealed, condition),
      })
      return {
        headers: etagHeader(stored.etag),
        body: {
          ...toMessage('Pipeline updated succesfully'),
          id,
          _version: stored.version,
          changed_envs: changedEnvs,
        },
      }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/_pipeline/{id}',
    summary: 'Delete a pipeline with all its versions',
    access: 'admin',
    guarded: true,
    failures: [404],
    params: PipelinePath,
    response: MessageBody,
    async handler({ params: { id }, ifMatch }, services) {
      const { etag } = findPipeline(id, services)
      await services.library.remove(id, toCondition(ifMatch, etag, `Pipeline "${id}"`))
      return { body: toMessage('Pipeline is deleted successfully') }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}/scriptRef',
    summary: 'A script of the live version',
    access: 'admin',
    failures: [404],
    params: PipelinePath,
    query: ScriptQuery,
    response: PipelineScript,
    handler: ({ params: { id }, query: { key } }, services) => ({
      body: findScript(findPipeline(id, services), key),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}/scriptRef/{key}',
    summary: 'The same, for older clients',
    access: 'admin',
    failures: [404],
    params: PipelinePath.extend({ key: z.string() }),
    response: PipelineScript,
    handler: ({ params: { id, key } }, services) => ({
      body: findScript(findPipeline(id, services), key),
    }),
  }),
]
