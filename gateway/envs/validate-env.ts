import type { GlobalEnv } from '../contract/pipeline.ts'
import { errors, GatewayError } from '../errors.ts'
import { evaluateHeader, type Lookup, substitute } from './evaluate-template.ts'

/** The request that checks a variable, ready to be sent. */
interface CheckRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  redirect: 'manual'
}

/** Sends a request under the outbound rules; any status is an answer. */
type Send = (request: CheckRequest, signal: AbortSignal) => Promise<{ status: number }>

/** What the check of a variable found. Nothing of the answer but its status is told. */
export interface EnvVerdict {
  valid: boolean
  /** Absent when no answer came. */
  status?: number
  expected_status?: number
  /** Milliseconds. */
  took: number
  message: string
}

const LIMIT_MS = 10_000

/**
 * Runs the `validate` request of a variable (decisions.md 19). `${KEY}` stands for a variable's value
 * in address, headers and body; header values in back-ticks may call a few functions. Redirects are
 * not followed: they would carry the value to another place.
 * @throws {GatewayError} REQUEST_INVALID naming the part and the column that cannot be read.
 */
export async function validateEnv(
  { key, validate }: Pick<GlobalEnv, 'key' | 'validate'>,
  { lookup, send, signal }: { lookup: Lookup; send: Send; signal: AbortSignal },
): Promise<EnvVerdict> {
  if (!validate)
    throw errors.requestInvalid(`"${key}" has no validate request; add one with url and method`)
  const used = new Set<string>()
  const request = toRequest(validate, (name) => {
    const value = lookup(name)
    if (value) used.add(value)
    return value
  })
  const { expected_status } = validate
  const start = performance.now()
  const took = () => Math.round(performance.now() - start)
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    const { status } = await send(request, AbortSignal.any([signal, limit]))
    const valid =
      expected_status === undefined ? status >= 200 && status < 300 : status === expected_status
    const wanted = expected_status ?? 'a status from 200 to 299'
    return {
      valid,
      status,
      ...(expected_status !== undefined && { expected_status }),
      took: took(),
      message: valid
        ? `"${key}" is valid: the check answered ${status}`
        : `"${key}" is not valid: the check answered ${status}, expected was ${wanted}`,
    }
  } catch (cause) {
    if (signal.aborted) throw cause
    if (!(cause instanceof GatewayError) && !limit.aborted) throw cause
    const why = limit.aborted ? `no answer within ${LIMIT_MS} ms` : messageOf(cause)
    return {
      valid: false,
      ...(expected_status !== undefined && { expected_status }),
      took: took(),
      message: `"${key}" could not be checked: ${hide(asWritten(why, request.url, validate.url), used)}`,
    }
  }
}

function toRequest(validate: NonNullable<GlobalEnv['validate']>, lookup: Lookup): CheckRequest {
  const fill = (place: string, text: string, read = substitute) => {
    const result = read(text, lookup)
    if ('text' in result) return result.text
    const { column, message } = result.problem
    throw errors.requestInvalid(`validate.${place}, column ${column}: ${message}`)
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(validate.headers ?? {}))
    headers[name.toLowerCase()] = fill(`headers.${name}`, value, evaluateHeader)
  const body = fillBody(validate.body, (text) => fill('body', text))
  if (typeof body === 'object') headers['content-type'] ??= 'application/json'
  return {
    method: validate.method ?? 'GET',
    url: fill('url', validate.url),
    headers,
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    redirect: 'manual',
  }
}

function fillBody(body: unknown, fill: (text: string) => string): unknown {
  if (typeof body === 'string') return fill(body)
  if (Array.isArray(body)) return body.map((item) => fillBody(item, fill))
  if (typeof body !== 'object' || body === null || JSON.isRawJSON(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, item]) => [key, fillBody(item, fill)]))
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/**
 * Names the address as its author wrote it: what became of a value inside a host, or around a
 * question mark, is not to be found again.
 */
function asWritten(text: string, sent: string, written: string) {
  const { origin, pathname } = URL.parse(sent) ?? {}
  if (origin === undefined || pathname === undefined) return text
  const shown = written.replace(/[?#].*$/s, '').replaceAll(/\$\{[^}]*\}/g, '••••')
  return text.replaceAll(origin + pathname, () => shown)
}

/** Addresses may hold values, so messages about them may, too; as they are or in a URL's spelling. */
function hide(text: string, values: ReadonlySet<string>) {
  let hidden = text
  for (const value of [...values].toSorted((a, b) => b.length - a.length))
    for (const form of [
      value,
      encodeURI(value.toWellFormed()),
      encodeURIComponent(value.toWellFormed()),
    ])
      hidden = hidden.replaceAll(form, '••••').replaceAll(form.toLowerCase(), '••••')
  return hidden
}
