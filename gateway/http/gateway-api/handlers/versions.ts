import { z } from 'zod'
import {
  PipelineItem,
  PipelinePath,
  PipelineSaved,
  PipelineScript,
  PipelineSubmission,
  ScriptQuery,
  VersionPath,
} from '../../../contract/gateway-api/pipelines.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'
import { etagHeader, toCondition } from '../if-match.ts'
import { toMessage } from '../message.ts'
import { answerItem, toItems } from '../pipeline-item.ts'
import { savePipeline } from '../save-pipeline.ts'
import { findPipeline, findScript, findVersion } from '../stored-pipelines.ts'
import { toDraft } from '../to-draft.ts'

/** Versions of a pipeline; domain, section 3.3. */
export const versionRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}/versions',
    summary: 'All versions of a pipeline, oldest first',
    access: 'admin',
    failures: [404],
    params: PipelinePath,
    response: z.array(PipelineItem),
    async handler({ params: { id } }, services) {
      findPipeline(id, services)
      return { body: await toItems(services.library.versions(id), services) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/_pipeline/{id}/version',
    summary: 'Add a version that is not live; it answers below /v<N>',
    access: 'admin',
    status: 201,
    form: true,
    guarded: true,
    failures: [404, 409, 422],
    params: PipelinePath,
    body: PipelineSubmission,
    response: PipelineSaved,
    async handler({ params: { id }, body, ifMatch }, services) {
      const draft = toDraft(body)
      toCondition(ifMatch, findPipeline(id, services).etag, `Pipeline "${id}"`)
      const { description } = body
      const { stored, changedEnvs } = await savePipeline(draft, services, {
        id,
        write: (sealed) =>
          services.library.addVersion(id, sealed, {
            ...(description !== undefined && { description }),
          }),
      })
      return {
        headers: {
          ...etagHeader(stored.etag),
          location: `/_pipeline/${id}/version/${stored.version}`,
        },
        body: {
          ...toMessage('Pipeline version created successfully', 201),
          id,
          _version: stored.version,
          changed_envs: changedEnvs,
        },
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}/version/{v}',
    summary: 'One version of a pipeline',
    access: 'admin',
    failures: [404],
    params: VersionPath,
    response: PipelineItem,
    handler: ({ params: { id, v } }, services) =>
      answerItem(findVersion(id, v, services), services),
  }),
  defineRoute({
    method: 'PUT',
    path: '/_pipeline/{id}/version/{v}',
    summary: 'Replace a version',
    access: 'admin',
    form: true,
    guarded: true,
    failures: [404, 409, 422],
    params: VersionPath,
    body: PipelineSubmission,
    response: PipelineSaved,
    async handler({ params: { id, v }, body, ifMatch }, services) {
      const before = findVersion(id, v, services)
      const draft = toDraft(body)
      const { description } = body
      const condition = {
        ...toCondition(ifMatch, before.etag, `Version ${v} of "${id}"`),
        ...(description !== undefined && { description }),
      }
      const { stored, changedEnvs } = await savePipeline(draft, services, {
        id,
        write: (sealed) => services.library.updateVersion(id, v, sealed, condition),
      })
      return {
        headers: etagHeader(stored.etag),
        body: {
          ...toMessage('Pipeline version updated successfully'),
          id,
          _version: v,
          changed_envs: changedEnvs,
        },
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/_pipeline/{id}/version/{v}/live',
    summary: 'Make a version the one that requests get',
    access: 'admin',
    guarded: true,
    failures: [404],
    params: VersionPath,
    response: PipelineSaved,
    async handler({ params: { id, v }, ifMatch }, services) {
      toCondition(ifMatch, findVersion(id, v, services).etag, `Version ${v} of "${id}"`)
      const stored = await services.library.makeLive(id, v)
      return {
        headers: etagHeader(stored.etag),
        body: {
          ...toMessage(`Version ${v} of the pipeline is live now`),
          id,
          _version: v,
          changed_envs: [],
        },
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}/version/{v}/scriptRef',
    summary: 'A script of one version',
    access: 'admin',
    failures: [404],
    params: VersionPath,
    query: ScriptQuery,
    response: PipelineScript,
    handler: ({ params: { id, v }, query: { key } }, services) => ({
      body: findScript(findVersion(id, v, services), key),
    }),
  }),
]
