import { api } from '../../contract/api.ts'
import type { Routes } from '../control-services.ts'

/** What the workbench needs to draw itself, and which engine the gateway talks to. */
export const stateRoutes: Routes = (app, services) => {
  app.get('/api/state', () => services.state())
  app.post('/api/engine', { schema: { body: api['POST /api/engine'].body } }, ({ body }) =>
    services.connectEngine(body.url),
  )
}
