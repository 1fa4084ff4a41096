import { api } from '../../contract/api.ts'
import type { Routes } from '../control-services.ts'

/** The folder on disk and what its pipelines mean. */
export const workspaceRoutes: Routes = (app, { workspace, pipelines }) => {
  app.post('/api/workspace/sample', () => workspace.openSample())
  app.post(
    '/api/workspace/open',
    { schema: { body: api['POST /api/workspace/open'].body } },
    ({ body }) => workspace.open(body.dir),
  )
  app.get(
    '/api/workspace/file',
    { schema: { querystring: api['GET /api/workspace/file'].query } },
    ({ query }) => workspace.readFile(query.path),
  )
  app.put(
    '/api/workspace/file',
    { schema: { body: api['PUT /api/workspace/file'].body } },
    ({ body }) => workspace.writeFile(body),
  )
  app.post(
    '/api/workspace/environment',
    { schema: { body: api['POST /api/workspace/environment'].body } },
    ({ body }) => workspace.selectEnvironment(body.environment),
  )
  app.get('/api/workspace/secrets', () => workspace.environmentSecrets())
  app.put(
    '/api/workspace/secret',
    { schema: { body: api['PUT /api/workspace/secret'].body } },
    ({ body }) => workspace.setEnvironmentSecret(body),
  )
  app.get('/api/pipelines', () => pipelines.list())
  app.post('/api/check', { schema: { body: api['POST /api/check'].body } }, ({ body }) =>
    pipelines.check(body.path, body.text),
  )
  app.post('/api/explain', { schema: { body: api['POST /api/explain'].body } }, ({ body }) =>
    pipelines.explain(body),
  )
  app.post(
    '/api/pipeline/edit',
    { schema: { body: api['POST /api/pipeline/edit'].body } },
    ({ body }) => pipelines.edit(body),
  )
  app.get('/api/schema/pipeline', () => pipelines.schema())
  app.get('/api/script-types', () => pipelines.scriptTypes())
  app.get('/api/stages', () => pipelines.stages())
}
