import { AnyJson } from '../../contract/gateway-api/messages.ts'
import { type ApiRoute, defineRoute } from './define-route.ts'
import { envRoutes } from './handlers/envs.ts'
import { logRoutes } from './handlers/logs.ts'
import { pipelineRoutes } from './handlers/pipelines.ts'
import { usageRoutes } from './handlers/usage.ts'
import { validateRoutes } from './handlers/validate.ts'
import { versionRoutes } from './handlers/versions.ts'
import { toOpenApi } from './openapi.ts'

/** Every route of the gateway API. A new feature adds its list here; the OpenAPI document follows. */
export const apiRoutes: readonly ApiRoute[] = [
  ...pipelineRoutes,
  ...versionRoutes,
  ...validateRoutes,
  ...envRoutes,
  ...logRoutes,
  ...usageRoutes,
  defineRoute({
    method: 'GET',
    path: '/_sluice/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    access: 'admin',
    response: AnyJson,
    handler: (_request, { version }) => ({ body: toOpenApi(apiRoutes, version) }),
  }),
]
