import { z } from 'zod'
import { ErrorBody } from '../../contract/error-body.ts'
import type { ApiRoute } from './define-route.ts'

type Json = Record<string, unknown>

/** What failures mean, for every route that can answer them. */
const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request, or the pipeline in it, has a mistake; `diagnostics` tells where',
  401: 'No credential, or a wrong one',
  403: 'The credential may not do this',
  404: 'There is no such thing',
  408: 'The run took longer than a run may',
  409: 'It exists already, or a stage has both script and scriptRef',
  412: 'It is not as `if-match` expects',
  413: 'The body is larger than 32 MiB',
  415: 'The body is of a type this route does not take',
  422: 'Text and address name different things, or the file is of a kind that is not read',
  503: 'The gateway is busy, or its state cannot be reached; try again later',
}
const ALWAYS = [400, 401, 403]

/** The OpenAPI 3.1 document of these routes; everything in it comes from their schemas. */
export function toOpenApi(routes: readonly ApiRoute[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: toOperation(route),
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice gateway API',
      version,
      description:
        'Pipelines, their versions, global envs, logs and usage on the gateway endpoint.',
    },
    servers: [{ url: '/' }],
    security: [{ basic: [] }],
    paths,
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
      schemas: { Error: toSchema(ErrorBody, 'output') },
    },
  }
}

function toOperation(route: ApiRoute): Json {
  const { summary, status = 200, response } = route
  return {
    operationId: operationId(route),
    summary,
    tags: [tagOf(route.path)],
    parameters: [
      ...toParameters(route.params, 'path'),
      ...toParameters(route.query, 'query'),
      ...(route.guarded ? [IF_MATCH] : []),
    ],
    ...(route.body && { requestBody: toRequestBody(route.body, route.form ?? false) }),
    responses: {
      [status]: {
        description: 'Success',
        content: { 'application/json': { schema: toSchema(response, 'output') } },
      },
      ...Object.fromEntries(failuresOf(route).map((code) => [code, toFailure(code)])),
    },
  }
}

const IF_MATCH = {
  name: 'if-match',
  in: 'header',
  required: false,
  description: 'The etag of what is replaced; the write is refused with 412 when it is another',
  schema: { type: 'string' },
}

const failuresOf = ({ failures = [], guarded, body }: ApiRoute) =>
  [
    ...new Set([
      ...ALWAYS,
      ...failures,
      ...(guarded ? [412, 503] : []),
      ...(body ? [413, 415] : []),
    ]),
  ].toSorted((a, b) => a - b)

const toFailure = (code: number) => ({
  description: FAILURES[code] ?? 'A failure',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function toParameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties, required } = toSchema(schema, 'input')
  return Object.entries(asJson(properties)).map(([name, property]) => {
    const { description, ...rest } = asJson(property)
    return {
      name,
      in: place,
      // OpenAPI has no path parameter that may be left out.
      required: place === 'path' || (Array.isArray(required) && required.includes(name)),
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function toRequestBody(body: z.ZodType, takesForm: boolean): Json {
  const schema = toSchema(body, 'input')
  return {
    required: true,
    content: {
      'application/json': { schema },
      ...(takesForm && { 'multipart/form-data': { schema: toFormSchema(schema) } }),
    },
  }
}

/** The same body as a form: every part is a text, and scripts are parts of their own. */
function toFormSchema({ properties, required }: Json): Json {
  const { scripts: _scripts, ...parts } = asJson(properties)
  return {
    type: 'object',
    ...(Array.isArray(required) && { required: required.filter((name) => name !== 'scripts') }),
    properties: Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [
        name,
        asJson(part)['type'] === 'string'
          ? part
          : { type: 'string', description: 'A file, or the JSON this part is in a JSON body' },
      ]),
    ),
    additionalProperties: {
      type: 'string',
      description: 'A script: a file, or JSON with content; the part is named as its scriptRef',
    },
  }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** `PUT /_pipeline/{id}/version/{v}` → `putPipelineIdVersionV` */
const operationId = ({ method, path }: ApiRoute) =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

function tagOf(path: string) {
  if (path.startsWith('/_pipelines/env')) return 'Global envs'
  if (path.includes('/log')) return 'Logs'
  if (path.startsWith('/_analytics/')) return 'Usage'
  return path.startsWith('/_sluice/') ? 'Gateway' : 'Pipelines'
}

const asJson = (value: unknown): Json =>
  // Safe: JSON schemas are maps of text keys by their standard.
  typeof value === 'object' && value !== null ? (value as Json) : {}
