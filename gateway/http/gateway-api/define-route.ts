import { z } from 'zod'
import type { Principal } from '../../access/credentials.ts'
import { errors } from '../../errors.ts'
import type { ApiServices } from './api-services.ts'

/** What a handler is given; every part has passed its schema. */
export interface ApiRequest<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  principal: Principal
  /** `if-match` as the client sent it. */
  ifMatch: string | undefined
  /** Aborts when the client hangs up. */
  signal: AbortSignal
}

/** What a handler answers; `status` is the route's own unless it says otherwise. */
export interface ApiAnswer<Response> {
  status?: number
  headers?: Readonly<Record<string, string>>
  body: Response
}

/** One call of the gateway API, before anything of it was read by a schema. */
export interface RawCall {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: unknown
  principal: Principal
  ifMatch: string | undefined
  signal: AbortSignal
}

/** What a route says about itself, for the router and for the OpenAPI document. */
interface RouteFacts {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/_pipeline/{id}`; a segment in braces is a parameter, a literal one goes before it. */
  path: string
  /** One line of the documentation. */
  summary: string
  /** What the credential must be for. */
  access: 'admin'
  /** Status of success; 200 when left out. */
  status?: number
  /** The body may also come as `multipart/form-data`. */
  form?: boolean
  /** A write that `if-match` guards: it answers 412 when somebody else was faster. */
  guarded?: boolean
  /** Statuses of failures besides 400, 401, 403 and 500. */
  failures?: readonly number[]
}

interface RouteSpec<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
> extends RouteFacts {
  params?: Params
  query?: Query
  body?: Body
  response: Response
  handler(
    request: ApiRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
    services: ApiServices,
  ): ApiAnswer<z.input<Response>> | Promise<ApiAnswer<z.input<Response>>>
}

/** A route as the router keeps it, whatever its types. */
export interface ApiRoute extends RouteFacts {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
  /** @throws {GatewayError} REQUEST_INVALID when a part does not fit its schema. */
  answer(call: RawCall, services: ApiServices): Promise<ApiAnswer<unknown>>
}

/** Declares one route of the gateway API: its documentation, its schemas, what it does. */
export function defineRoute<
  Response extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<Params, Query, Body, Response>): ApiRoute {
  const { params, query, body, handler } = spec
  return {
    ...spec,
    async answer({ principal, ifMatch, signal, ...call }, services) {
      return handler(
        {
          principal,
          ifMatch,
          signal,
          params: read(params, call.params, 'The path'),
          query: read(query, call.query, 'The query string'),
          body: read(body, call.body, 'The request body'),
        },
        services,
      )
    },
  }
}

/** @throws {GatewayError} REQUEST_INVALID naming the first value that does not fit. */
function read<Schema extends z.ZodType>(
  schema: Schema | undefined,
  value: unknown,
  what: string,
): z.output<Schema> {
  // Safe: without a schema the type is that of ZodUndefined.
  if (!schema) return undefined as z.output<Schema>
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = issue && issue.path.length > 0 ? ` at "${issue.path.join('.')}"` : ''
  throw errors.requestInvalid(
    `${what} is not as documented${place}: ${issue?.message ?? ''}; ` +
      'GET /_sluice/openapi.json has the documentation',
  )
}
