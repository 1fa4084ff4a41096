import Fastify from 'fastify'
import type { Server } from 'node:http'
import { z } from 'zod'
import { errors } from '../errors.ts'
import { toErrorBody, toGatewayError } from './error-body.ts'
import type { ControlServices } from './control-services.ts'
import { runRoutes } from './routes/runs.ts'
import { sendRoutes } from './routes/send.ts'
import { stateRoutes } from './routes/state.ts'
import { workspaceRoutes } from './routes/workspace.ts'
import { withZod } from './zod.ts'

/** Requests of the workbench carry whole documents. */
const BODY_LIMIT_BYTES = 110 * 1024 * 1024

/**
 * The workbench's own API as a handler for a server that listens already: `server` only gives
 * Fastify something to own. Tests call it with `inject()`.
 */
export async function createControlApp(services: ControlServices, server?: Server) {
  const app = withZod(
    Fastify({
      bodyLimit: BODY_LIMIT_BYTES,
      ...(server && { serverFactory: () => server }),
    }),
  )
  app.setErrorHandler((cause, _request, reply) => {
    const error = toGatewayError(asOurs(cause))
    return reply.code(error.status).send(toErrorBody(error))
  })
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send(
        toErrorBody(errors.notFound(`The control API has no ${request.method} ${request.url}`)),
      ),
  )
  for (const routes of [stateRoutes, workspaceRoutes, sendRoutes, runRoutes]) routes(app, services)
  await app.ready()
  return app
}

/** Validation, malformed JSON and too large a body: fastify marks these with a 4xx status. */
function asOurs(cause: unknown) {
  if (!(cause instanceof Error)) return cause
  if (cause instanceof z.ZodError) {
    // Its own message is JSON; people read this one.
    const issues = cause.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return errors.requestInvalid(`The request does not fit the contract: ${issues.join('; ')}`, {
      cause,
    })
  }
  const status = 'statusCode' in cause ? Number(cause.statusCode) : 500
  return status < 500 ? errors.requestInvalid(cause.message, { cause, status }) : cause
}
