import type { Context } from '../contract/context.ts'
import type { LogKind } from '../contract/gateway-api/logs.ts'
import type { RunStatus, SpanError, StageStatus } from '../contract/trace.ts'
import { addedBytes } from '../trace/size-of.ts'
import type { ChangedKeys } from './context-changes.ts'

/** What one stage of a logged run did. */
export interface RawStage extends ChangedKeys {
  id: string
  use?: string
  async: boolean
  status: StageStatus
  reason?: string
  error?: SpanError
  tookMs?: number
}

/** A run as it was observed: neither masked nor cut. Contexts and bodies are the run's own. */
export interface RawLog {
  id: string
  pipelineId: string
  version?: number
  route: { path: string; method: string }
  category?: string
  acl?: string
  kind?: LogKind
  /** Epoch milliseconds. */
  startTime: number
  tookMs: number
  status: RunStatus
  /** Stages whose failure was stepped over, after the answer as well. */
  continued: string[]
  error?: SpanError & { stageId?: string }
  method: string
  uri: string
  /** The context before any stage; it holds the request. */
  start: Context
  response: Context['response']
  /** In the order in which they ended. */
  stages: RawStage[]
  consoleLogs: string[]
}

/** The beginning of a body, with as much behind the limit as the longest secret may take. */
interface RawBody {
  text: string
  /** Characters the whole body has. */
  length: number
}

/** A record on its way to the thread: bodies apart, so that nobody has to escape them on the way. */
export interface RawRecord {
  /** JSON text of a `RawLog` whose bodies are places in `bodies`. */
  json: string
  bodies: RawBody[]
}

/** How much of a text a record keeps, and how much more has to be looked at to find secrets. */
export interface TextBounds {
  bodyChars: number
  marginChars: number
}

/** The bytes a record may hold on to while it waits to be written. */
export const sizeOf = ({ start, response, stages, consoleLogs }: RawLog) =>
  1_000 +
  addedBytes(start, undefined) +
  addedBytes(response, undefined) +
  addedBytes(consoleLogs, undefined) +
  stages.reduce((sum, { changes }) => sum + 200 + addedBytes(changes, undefined), 0)

/**
 * Prepares a record for its way to the thread, its long texts cut so that the copy is cheap. The body
 * of the answer is left out when it is what the last stage to write one wrote.
 */
export function toRaw(log: RawLog, bounds: TextBounds): RawRecord {
  const bodies: RawBody[] = []
  const { body, ...response } = log.response
  const isWritten = lastBody(log) === body
  const json = JSON.stringify({
    ...log,
    start: takeBodies(log.start, bounds, bodies),
    response: isWritten ? response : takeBody(log.response, bounds, bodies),
    stages: log.stages.map((stage) => ({
      ...stage,
      changes: takeBodies(stage.changes, bounds, bodies),
    })),
  })
  return { json, bodies }
}

/** The body of the answer as stages left it, cut or not. */
export const lastBody = ({ stages }: Pick<RawLog, 'stages'>) =>
  stages.map(({ changes: { response } }) => bodyOf(response)).findLast((body) => body !== undefined)

const bodyOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'body' in message ? message.body : undefined

/** Bodies go into the list; what else is large is left out and says so. */
function takeBodies(parts: Record<string, unknown>, bounds: TextBounds, bodies: RawBody[]) {
  const rest: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(parts))
    if (key === 'request' || key === 'response') rest[key] = takeBody(value, bounds, bodies)
    else if (value !== undefined) rest[key] = leaveOut(value, bounds)
  return rest
}

function takeBody(message: unknown, { bodyChars, marginChars }: TextBounds, bodies: RawBody[]) {
  const body = bodyOf(message)
  if (typeof message !== 'object' || typeof body !== 'string') return message
  const place = bodies.push({
    text: body.length > bodyChars ? body.slice(0, bodyChars + marginChars) : body,
    length: body.length,
  })
  return { ...message, body: place - 1 }
}

function leaveOut(value: unknown, { bodyChars }: TextBounds): unknown {
  const bytes = addedBytes(value, undefined)
  return bytes > 2 * bodyChars ? `… (left out: about ${bytes} bytes)` : value
}
