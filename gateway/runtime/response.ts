import { STATUS_CODES } from 'node:http'
import type { Context } from '../contract/context.ts'
import type { ErrorBody } from '../contract/error-body.ts'
import type { GatewayError } from '../errors.ts'
import type { RunRequest } from './run-request.ts'
import { replaceTook } from './took.ts'

type Response = Context['response']

/** What the client gets of a run that reached its end. */
export function toResponse(
  context: Context,
  { match }: RunRequest,
  { tookMs, continued }: { tookMs: number; continued: readonly string[] },
): Response {
  const { code, body, headers } = context.response
  const isDeclarative = match.route.category === 'declarative' && body.includes('"took"')
  return {
    code: code || 200,
    headers: toHeaders(headers, match.plan.pipelineId, { tookMs, continued, hasBody: body !== '' }),
    body: isDeclarative ? replaceTook(body, tookMs) : body,
  }
}

/** What the client gets of a run that failed. Details of bugs stay inside. */
export function toErrorResponse(
  error: GatewayError,
  { match }: RunRequest,
  { tookMs, continued }: { tookMs: number; continued: readonly string[] },
): Response {
  const { status: code, message, code: type, stageId, source } = error
  const body: ErrorBody = {
    error: {
      code,
      status: STATUS_CODES[code] ?? (code === 499 ? 'Client Closed Request' : 'Unknown'),
      message: stageId === undefined ? message : `${message}: from stage with ID: ${stageId}`,
      type,
      ...(stageId !== undefined && { stageId }),
      ...(source && { source }),
    },
  }
  const retry = error.retryAfterSeconds
  const headers: Record<string, string> = retry === undefined ? {} : { 'retry-after': `${retry}` }
  return {
    code,
    headers: toHeaders(headers, match.plan.pipelineId, { tookMs, continued, hasBody: true }),
    body: JSON.stringify(body),
  }
}

function toHeaders(
  given: Record<string, string>,
  pipelineId: string,
  {
    tookMs,
    continued,
    hasBody,
  }: { tookMs: number; continued: readonly string[]; hasBody: boolean },
): Record<string, string> {
  const headers: Record<string, string> = {}
  let hasType = false
  for (const name in given) {
    const lower = name.toLowerCase()
    if (lower === 'content-type') hasType = true
    headers[lower] = given[name] ?? ''
  }
  if (hasBody && !hasType) headers['content-type'] = 'application/json; charset=utf-8'
  headers['x-took'] = String(Math.round(tookMs))
  headers['x-sluice-pipeline'] = pipelineId
  // Ids come from a file of the user, and a header can hold plain text only.
  if (continued.length > 0)
    headers['x-sluice-continued'] = continued.map(encodeURIComponent).join(', ')
  return headers
}
