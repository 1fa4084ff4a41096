import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { toOpenApi } from '../../gateway/http/gateway-api/openapi.ts'
import { apiRoutes } from '../../gateway/http/gateway-api/routes.ts'
import { callApi } from '../support/pipeline-api.ts'
import { startSluice } from '../support/start-sluice.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string }[]
  responses: Record<string, unknown>
}
type Paths = Record<string, Record<string, Operation>>

/** Path parameters that make every route answer something of its own. */
const SAMPLE: Record<string, string> = { id: 'nobody', v: '1', key: 'nothing' }

test('the OpenAPI document is valid, and every path in it is answered by the API', async () => {
  await using sluice = await startSluice(['--engine', 'http://127.0.0.1:9'])
  const { status, body } = await callApi(sluice, 'GET', '/_sluice/openapi.json')
  expect([status, body.openapi]).toEqual([200, '3.1.0'])
  const validator = new Validator()
  expect(await validator.validate(structuredClone(body) as Record<string, unknown>)).toEqual({
    valid: true,
  })
  expect(validator.version).toBe('3.1')

  const operations = Object.entries(body['paths'] as Paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, method, operation } of operations) {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLE[name] ?? 'x')
    const reply = await callApi(sluice, method.toUpperCase(), url)
    // Nothing documented is missing: what is not found is the thing, never the route.
    expect([path, method, reply.body.error?.message ?? '']).toEqual([
      path,
      method,
      expect.not.stringMatching(/The gateway API has nothing at|lists all routes/),
    ])
    expect(Object.keys(operation.responses)).toContain(String(reply.status))
    const named = operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => `{${name}}`)
    expect([path, named]).toEqual([path, path.match(/\{\w+\}/g) ?? []])
  }
})

test('what the domain names is documented', () => {
  const body = toOpenApi(apiRoutes, '1')
  const documented = Object.entries(body['paths'] as Paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented).toEqual(
    expect.arrayContaining([
      'GET /_pipelines',
      'POST /_pipeline',
      'GET /_pipeline/schema',
      'POST /_pipeline/validate',
      'GET /_pipeline/validate/{id}',
      'GET /_pipeline/{id}',
      'PUT /_pipeline/{id}',
      'DELETE /_pipeline/{id}',
      'GET /_pipeline/{id}/scriptRef',
      'GET /_pipeline/{id}/versions',
      'POST /_pipeline/{id}/version',
      'PUT /_pipeline/{id}/version/{v}',
      'POST /_pipeline/{id}/version/{v}/live',
      'GET /_pipeline/{id}/version/{v}/scriptRef',
      'GET /_pipelines/envs',
      'POST /_pipelines/env',
      'GET /_pipelines/env/{key}',
      'PUT /_pipelines/env/{key}',
      'DELETE /_pipelines/env/{key}',
      'POST /_pipelines/env/validate',
      'GET /_sluice/openapi.json',
    ]),
  )
})
