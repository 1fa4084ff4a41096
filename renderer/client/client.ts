import { api, type BodyOf, type Endpoint, type ResponseOf } from '../../gateway/contract/api.ts'
import { ErrorBody } from '../../gateway/contract/error-body.ts'

/** What a call may carry besides its endpoint. */
export interface CallOptions<E extends Endpoint> {
  /** Values of the path's `:names`. */
  params?: Record<string, string>
  query?: Record<string, string>
  body?: BodyOf<E>
  signal?: AbortSignal
}

/** An error answer of the control API. `type` is the stable code; `status` 0 means no answer came. */
export class CallError extends Error {
  override name = 'CallError'
  readonly status: number
  readonly type: string
  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/** The control API as one typed function. `baseUrl` is empty where the gateway served the page. */
export function createClient(token: string, baseUrl = '') {
  const authorization = `Bearer ${token}`

  /**
   * The answer's text as it came, for what is handed on and must keep every digit.
   * @throws {CallError} on an error answer; {DOMException} `AbortError` when `signal` fires.
   */
  async function text<E extends Endpoint>(
    endpoint: E,
    { params = {}, query, body, signal }: CallOptions<E> = {},
  ): Promise<string> {
    const [method = 'GET', template = ''] = endpoint.split(' ')
    const path = template.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    )
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    const reply = await fetch(baseUrl + path + search, {
      method,
      // A browser would hold back a 401 to ask for a password of its own.
      credentials: 'omit',
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      throw new CallError(0, 'GATEWAY_UNREACHABLE', 'The gateway does not answer')
    })
    const answer = await reply.text()
    if (reply.ok) return answer
    throw toCallError(reply.status, answer)
  }

  /** Replies are parsed, so a wrong reply fails in this function and not in a panel. */
  async function call<E extends Endpoint>(
    endpoint: E,
    options: CallOptions<E> = {},
  ): Promise<ResponseOf<E>> {
    const json: unknown = parseExactly(await text(endpoint, options))
    // Safe: this schema is the one `ResponseOf` was derived from.
    return api[endpoint].response.parse(json) as ResponseOf<E>
  }

  return { call, text, authorization, baseUrl }
}

/** What `createClient` returns. Commands are given one. */
export type Client = ReturnType<typeof createClient>

function toCallError(status: number, answer: string) {
  try {
    const { message, type } = ErrorBody.parse(JSON.parse(answer)).error
    return new CallError(status, type, message)
  } catch {
    return new CallError(status, 'UNKNOWN', `The gateway answered ${status} without saying why`)
  }
}

const MANY_DIGITS = /\d{16}/

/** `JSON` as ECMAScript 2026 has it; TypeScript's library does not know these two yet. */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
}

/** Numbers that a double cannot hold stay the text they were, and are written as that again. */
function parseExactly(text: string): unknown {
  if (!MANY_DIGITS.test(text) || !('rawJSON' in JSON)) return JSON.parse(text)
  // Safe: an engine that has `rawJSON` hands the source to the reviver, too.
  const exact = JSON as unknown as ExactJson
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && isRounded(value, source)
      ? exact.rawJSON(source)
      : value,
  )
}

const isRounded = (value: number, source: string) =>
  /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
