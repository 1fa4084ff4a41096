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
  continued: readonly string[]
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

/** A text that was too long to be handed on whole. */
export interface CutText {
  /** The beginning, with as much behind the limit as the longest secret may take. */
  cutText: string
  /** Characters the whole text has. */
  length: number
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
 * A record as JSON text, its long texts cut so that the copy to another thread is cheap. The body of
 * the answer is left out when it is what the last stage to write one wrote.
 */
export function toText(log: RawLog, bounds: TextBounds): string {
  const { body, ...response } = log.response
  const isWritten = lastBody(log) === body
  return JSON.stringify({
    ...log,
    start: cutParts(log.start, bounds),
    response: isWritten ? response : cutBody(log.response, bounds),
    stages: log.stages.map((stage) => ({ ...stage, changes: cutParts(stage.changes, bounds) })),
  })
}

/** The body of the answer as stages left it, cut or not. */
export const lastBody = ({ stages }: Pick<RawLog, 'stages'>) =>
  stages.map(({ changes: { response } }) => bodyOf(response)).findLast((body) => body !== undefined)

const bodyOf = (message: unknown) =>
  typeof message === 'object' && message !== null && 'body' in message ? message.body : undefined

/** Bodies are cut; what else is large is left out and says so. */
function cutParts(parts: Record<string, unknown>, bounds: TextBounds): Record<string, unknown> {
  const cut: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(parts))
    if (key === 'request' || key === 'response') cut[key] = cutBody(value, bounds)
    else if (value !== undefined) cut[key] = leaveOut(value, bounds)
  return cut
}

function cutBody(message: unknown, { bodyChars, marginChars }: TextBounds): unknown {
  if (typeof message !== 'object' || message === null || !('body' in message)) return message
  const { body } = message
  if (typeof body !== 'string' || body.length <= bodyChars) return message
  const cut: CutText = { cutText: body.slice(0, bodyChars + marginChars), length: body.length }
  return { ...message, body: cut }
}

function leaveOut(value: unknown, { bodyChars }: TextBounds): unknown {
  const bytes = addedBytes(value, undefined)
  return bytes > 2 * bodyChars ? `… (left out: about ${bytes} bytes)` : value
}
