import { api } from '../../contract/api.ts'
import type { Routes } from '../control-services.ts'

/** Sends a request for the workbench; when the page gives up, so does the request. */
export const sendRoutes: Routes = (app, services) => {
  app.post('/api/send', { schema: { body: api['POST /api/send'].body } }, ({ body }, reply) => {
    const abort = new AbortController()
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) abort.abort()
    })
    return services.send(body, abort.signal)
  })
}
