import type { ApiRoute } from './define-route.ts'
import { schemaRoutes } from './handlers/schema.ts'

/** Every route of the gateway API. A new feature adds its list here; the OpenAPI document follows. */
export const apiRoutes: readonly ApiRoute[] = [...schemaRoutes]
