import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../access/credentials.ts'
import type { Limits } from '../contract/limits.ts'
import { RUN_HEADER } from '../engine/headers.ts'
import { errors, type GatewayError } from '../errors.ts'
import type { Matcher, RouteMatch } from '../pipeline/match.ts'
import type { RequestFacts } from '../pipeline/request-facts.ts'
import type { RunObserver, RunTally } from '../runtime/observer.ts'
import { executeRun } from '../runtime/run.ts'
import type { RunGate } from '../runtime/run-gate.ts'
import type { RunServices } from '../runtime/run-request.ts'
import type { ScriptProgram } from '../scripting/sandbox.ts'
import type { StageDefinition } from '../stages/define.ts'
import { Stopper } from '../stop-signal.ts'
import { unauthorized } from './gateway-endpoint.ts'
import { log } from './log.ts'
import { MEGABYTE, readBody } from './read-body.ts'

/** The pipelines of this moment, compiled. */
export interface ServedPipelines {
  matcher: Matcher<StageDefinition>
  /** Global envs, overlaid with those of the selected environment. */
  envs: Readonly<Record<string, unknown>>
}

interface PipelineServices {
  pipelines(): ServedPipelines
  /** The scripts of a plan, loaded until `release`: a save must not take them from a request. */
  hold(
    plan: RouteMatch<StageDefinition>['plan'],
  ): { program: ScriptProgram; release(): void } | undefined
  verify(authorization: string | undefined): Principal | null | Promise<Principal | null>
  runServices: RunServices
  /** Who watches a run; `asked` when the workbench sent the request. */
  observers(asked: boolean, match: RouteMatch<StageDefinition>): readonly RunObserver[]
  /** What the run is counted by. */
  tallyOf(match: RouteMatch<StageDefinition>): (tally: RunTally) => void
  /** Precedes the run id in the header of the workbench's own requests. */
  runSecret: string
  gate: RunGate
  limits(): Limits
}

/** Whether a pipeline took the request; if not, what was read of its body on the way. */
export type Taken = { taken: true } | { taken: false; body?: Buffer }

/** Finds the pipeline of a request, runs it and answers. */
export function createPipelineEndpoint(services: PipelineServices) {
  return async function runPipeline(
    request: IncomingMessage,
    response: ServerResponse,
    alreadyRead?: Buffer,
  ): Promise<Taken> {
    const { gate } = services
    const limits = services.limits()
    const served = services.pipelines()
    let body = alreadyRead
    let facts = toFacts(request, body)
    let match = served.matcher.match(facts, served.envs)
    if (match === 'needsBody') {
      gate.check()
      body = await readBody(request, limits.bodyMb * MEGABYTE)
      facts = toFacts(request, body)
      match = served.matcher.match(facts, served.envs)
    }
    if (match === undefined || match === 'needsBody') return { taken: false, ...(body && { body }) }

    // Held from here on: what is awaited before the run may take as long as the client likes.
    const scripts = services.hold(match.plan)
    let background: Promise<void> | undefined
    try {
      const { authorization } = request.headers
      if (match.plan.isGuarded && !(await services.verify(authorization)))
        throw unauthorized(authorization)
      if (!body) {
        gate.check()
        body = await readBody(request, limits.bodyMb * MEGABYTE)
      }
      const own = ownRunId(request.headers[RUN_HEADER], services.runSecret)
      const hangUp = new Stopper()
      response.on('close', () => {
        if (!response.writableFinished)
          hangUp.abort(errors.runTerminated('The client hung up before the answer was there'))
      })
      const entry = gate.enter(body.length, hangUp)
      if (entry !== true && !(await entry)) return { taken: true }
      try {
        const result = await executeRun({
          runId: own ?? randomUUID(),
          match,
          request: { ...facts, body: facts.body ?? body.toString('utf8') },
          ...(scripts && { program: scripts.program }),
          services: services.runServices,
          envs: served.envs,
          observers: services.observers(own !== undefined, match),
          tally: services.tallyOf(match),
          signal: hangUp,
          limits,
        })
        background = result.background
        if (result.error?.code === 'INTERNAL') logBug(result.error)
        if (result.continued.length > 0)
          log.warn('continued', { pipelineId: match.plan.pipelineId, stages: result.continued })
        if (!hangUp.aborted) answer(response, result.response)
      } finally {
        gate.leave(background)
      }
    } finally {
      if (!background) scripts?.release()
      else if (scripts) void background.then(scripts.release)
    }
    return { taken: true }
  }
}

/** The wire shows no details of a bug, so the log has to. */
const logBug = ({ stageId, cause }: GatewayError) =>
  log.error('bug', { stageId, stack: cause instanceof Error ? cause.stack : String(cause) })

/** The run id the workbench chose, when the header proves that it comes from us. */
function ownRunId(header: string | string[] | undefined, secret: string) {
  const text = typeof header === 'string' ? header : ''
  return text.startsWith(`${secret}.`) ? text.slice(secret.length + 1) : undefined
}

function toFacts(request: IncomingMessage, body: Buffer | undefined): RequestFacts {
  const headers: Record<string, string> = {}
  for (const name in request.headers) {
    const value = request.headers[name]
    if (value !== undefined && name !== RUN_HEADER)
      headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers,
    clientIp: request.socket.remoteAddress ?? '',
    isTls: 'encrypted' in request.socket,
    ...(body && { body: body.toString('utf8') }),
  }
}

/** Headers that describe bytes a stage received, not the text that is sent now. */
const NOT_SENT = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function answer(
  response: ServerResponse,
  { code, headers, body }: { code: number; headers: Record<string, string>; body: string },
) {
  const list: string[] = []
  for (const name in headers)
    if (!NOT_SENT.has(name.toLowerCase())) list.push(name, headers[name] ?? '')
  const hasBody = code >= 200 && code !== 204 && code !== 304
  if (hasBody) list.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(code, list)
  response.end(hasBody && response.req.method !== 'HEAD' ? body : undefined)
}
