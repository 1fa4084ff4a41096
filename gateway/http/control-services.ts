import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyOf, Endpoint, ResponseOf } from '../contract/api.ts'
import type { ExplainRequest } from '../contract/explain.ts'
import type { ZodTypeProvider } from './zod.ts'

/** The fastify instance that routes are added to; it speaks zod. */
export type ControlApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** Answer of an endpoint, now or later. */
type Answer<E extends Endpoint> = ResponseOf<E> | Promise<ResponseOf<E>>

/** What the control API answers from; every function is one endpoint or a part of one. */
export interface ControlServices {
  state(): ResponseOf<'GET /api/state'>
  connectEngine(url: string): Answer<'POST /api/engine'>
  workspace: {
    openSample(): Answer<'POST /api/workspace/sample'>
    open(dir: string): Answer<'POST /api/workspace/open'>
    readFile(path: string): Answer<'GET /api/workspace/file'>
    writeFile(file: BodyOf<'PUT /api/workspace/file'>): Answer<'PUT /api/workspace/file'>
    selectEnvironment(name: string | null): Answer<'POST /api/workspace/environment'>
    environmentSecrets(): Answer<'GET /api/workspace/secrets'>
    setEnvironmentSecret(
      secret: BodyOf<'PUT /api/workspace/secret'>,
    ): Answer<'PUT /api/workspace/secret'>
  }
  pipelines: {
    list(): Answer<'GET /api/pipelines'>
    check(path: string, text: string): Answer<'POST /api/check'>
    explain(request: ExplainRequest): Answer<'POST /api/explain'>
    edit(body: BodyOf<'POST /api/pipeline/edit'>): Answer<'POST /api/pipeline/edit'>
    schema(): Answer<'GET /api/schema/pipeline'>
    stages(): Answer<'GET /api/stages'>
    scriptTypes(): Answer<'GET /api/script-types'>
  }
  send(request: BodyOf<'POST /api/send'>, signal: AbortSignal): Answer<'POST /api/send'>
  runs: {
    list(): ResponseOf<'GET /api/runs'>
    get(runId: string): ResponseOf<'GET /api/runs/:runId'> | undefined
    stage(
      runId: string,
      stageId: string,
    ): ResponseOf<'GET /api/runs/:runId/stages/:stageId'> | undefined
    har(runId: string): ResponseOf<'GET /api/runs/:runId/har'> | undefined
  }
}

/** Adds the routes of one part of the contract. */
export type Routes = (app: ControlApp, services: ControlServices) => void
