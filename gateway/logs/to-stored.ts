import type { Context } from '../contract/context.ts'
import type { LogSummary } from '../contract/gateway-api/logs.ts'
import { type Mask, maskAll, withAddresses } from '../trace/masking.ts'
import { parseLossless } from '../trace/parse-lossless.ts'
import { lastBody, type RawLog, type RawRecord, type RawStage, type TextBounds } from './raw-log.ts'

/** One record as it lies on disk. */
export interface StoredLog {
  summary: LogSummary
  rest: StoredRest
}

/** What lists do not show. */
export interface StoredRest {
  start: Context
  /** Absent when it is what the last stage to write one wrote. */
  responseBody?: string
  stages: RawStage[]
  consoleLogs: string[]
}

/** Characters of a body that lists show. */
const LISTED_CHARS = 1_000

/**
 * Hides the secrets in a record and cuts it to size: in this order, since a secret that was cut in two
 * would not be found.
 */
export function toStored(raw: RawRecord, secretsMask: Mask, bounds: TextBounds): StoredLog {
  const mask = withAddresses(secretsMask)
  // Safe: only toRaw writes these texts; bodies have become numbers, which is undone here.
  const log = maskAll(parseLossless(raw.json), mask) as RawLog
  const bodies = raw.bodies.map(({ text, length }) => finishBody(mask(text), text, length, bounds))
  const start = withBodies(log.start, bodies)
  const stages = log.stages.map((stage) => ({
    ...stage,
    changes: withBodies(stage.changes, bodies),
  }))
  const response: Partial<Context['response']> = withBody(log.response, bodies)
  const { request } = start
  return {
    summary: {
      id: log.id,
      pipeline_id: log.pipelineId,
      ...(log.version !== undefined && { version: log.version }),
      route: log.route,
      ...(log.category !== undefined && { category: log.category }),
      ...(log.acl !== undefined && { acl: log.acl }),
      ...(log.kind && { kind: log.kind }),
      timestamp: new Date(log.startTime).toISOString(),
      took: toTook(log.tookMs),
      status: log.status,
      continued: [...log.continued],
      ...(log.error && { error: log.error }),
      request: {
        method: log.method,
        uri: log.uri,
        headers: request.headers,
        body: shorten(request.body, LISTED_CHARS),
      },
      response: {
        ...log.response,
        body: shorten(response.body ?? textOf(lastBody({ stages })), LISTED_CHARS),
      },
    },
    rest: {
      start,
      ...(response.body !== undefined && { responseBody: response.body }),
      stages,
      consoleLogs: log.consoleLogs,
    },
  }
}

/** Milliseconds, to the microsecond. */
export const toTook = (ms: number) => Math.round(ms * 1_000) / 1_000

function withBodies<Parts extends Record<string, unknown>>(
  parts: Parts,
  bodies: readonly string[],
) {
  const whole: Record<string, unknown> = { ...parts }
  for (const key of ['request', 'response'])
    if (isMap(whole[key])) whole[key] = withBody(whole[key], bodies)
  // Safe: only bodies were replaced, by texts.
  return whole as Parts
}

const withBody = <Message extends Record<string, unknown>>(
  message: Message,
  bodies: readonly string[],
): Message =>
  typeof message['body'] === 'number' ? { ...message, body: bodies[message['body']] } : message

/** Of a body that was cut already, what stands at the end may be the beginning of a secret. */
function finishBody(
  masked: string,
  text: string,
  length: number,
  { bodyChars, marginChars }: TextBounds,
) {
  if (text.length === length) return shorten(masked, bodyChars)
  const safe = masked.slice(0, Math.max(0, masked.length - marginChars))
  return cutNote(safe.slice(0, bodyChars), length)
}

const shorten = (text: string, most: number) =>
  text.length > most ? cutNote(text.slice(0, most), text.length) : text

const cutNote = (text: string, length: number) =>
  `${text.toWellFormed()}… (cut: ${length} characters in all)`

const textOf = (body: unknown) => (typeof body === 'string' ? body : '')

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
