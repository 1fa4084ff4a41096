import { AnyJson } from '../../../contract/gateway-api/messages.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'

/** What a pipeline definition may hold. */
export const schemaRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/_pipeline/schema',
    summary: 'JSON schema of the pipeline definition',
    access: 'admin',
    response: AnyJson,
    handler: (_request, { pipelineSchema }) => ({ body: pipelineSchema() }),
  }),
]
