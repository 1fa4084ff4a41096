import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, request as send } from 'undici'
import { errors, GatewayError } from '../errors.ts'
import { isRefusedAddress } from './addresses.ts'
import { type StopSignal, toAbortSignal } from '../stop-signal.ts'
import { joinHeaders } from './ask.ts'

/** One call that a pipeline makes to the world. */
export interface OutboundCall {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  redirect?: 'follow' | 'manual' | 'error'
  /** Larger answers are failures; 100 MB unless given. */
  maxReplyBytes?: number
}

export interface OutboundReply {
  status: number
  statusText: string
  headers: Record<string, string>
  body: string
  redirected: boolean
  url: string
}

const MAX_REDIRECTS = 5
const MEGABYTE = 1024 * 1024
const MAX_REPLY_BYTES = 100 * MEGABYTE
/** Credentials that are dropped when a redirect leads to another origin. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Makes the function behind scripts' `fetch` and `httpRequest`; decisions.md 26. */
export function createOutbound(allowed: ReadonlySet<string> = new Set()) {
  // The check sits where the address is resolved, so that a name cannot mean one thing when it is
  // checked and another when it is connected to.
  const agent = new Agent({
    connect: {
      lookup: (hostname, options, callback) => {
        lookup(hostname, { ...options, all: true }, (problem, addresses) => {
          const found = addresses ?? []
          const bad = allowed.has(hostname)
            ? undefined
            : found.find(({ address }) => isRefusedAddress(address))
          const failure = bad ? refusedError(hostname, bad.address) : problem
          if (failure) callback(failure, '')
          else if (options.all) callback(null, found)
          else callback(null, found[0]?.address ?? '', found[0]?.family)
        })
      },
    },
  })

  /**
   * @throws {GatewayError} ADDRESS_REFUSED, CALL_FAILED, CALL_TIMEOUT; the signal's reason when it
   * aborts. Answers of any status are replies.
   */
  async function call(first: OutboundCall, stop: StopSignal): Promise<OutboundReply> {
    const signal = toAbortSignal(stop)
    let { method, body, headers } = first
    let url = checkUrl(first.url, allowed)
    for (let hop = 0; ; hop++) {
      const maxReplyBytes = first.maxReplyBytes ?? MAX_REPLY_BYTES
      const reply = await sendOnce(agent, { method, url, headers, body, signal, maxReplyBytes })
      const location = reply.headers.location
      const moved = [301, 302, 303, 307, 308].includes(reply.status) && location !== undefined
      if (!moved || first.redirect === 'manual')
        return { ...reply, redirected: hop > 0, url: url.href }
      if (first.redirect === 'error')
        throw errors.callFailed(`${nameOf(url)} redirects, which this call does not allow`)
      if (hop === MAX_REDIRECTS)
        throw errors.callFailed(
          `${nameOf(url)} is one redirect too many: ${MAX_REDIRECTS} are followed`,
        )
      const next = checkUrl(new URL(location, url).href, allowed)
      if (next.origin !== url.origin) headers = withoutCredentials(headers)
      if (reply.status === 303 || (reply.status < 303 && method === 'POST')) {
        method = 'GET'
        body = ''
      }
      url = next
    }
  }
  return { call, close: () => agent.close() }
}

/** An address as messages tell it: queries and user info hold credentials. */
const nameOf = ({ origin, pathname }: URL) => origin + pathname

const refusedError = (host: string, address: string) =>
  errors.addressRefused(
    `${host === address ? host : `${host} (${address})`} is an address that outgoing calls may not reach`,
  )

function checkUrl(text: string, allowed: ReadonlySet<string>) {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw errors.addressRefused(`"${text.replace(/\/\/.*@/s, '//')}" is no http or https address`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !allowed.has(host) && isRefusedAddress(host)) throw refusedError(host, host)
  return url
}

const withoutCredentials = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.has(name.toLowerCase())),
  )

interface SingleCall {
  method: string
  url: URL
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  maxReplyBytes: number
}

async function sendOnce(dispatcher: Agent, call: SingleCall) {
  const { method, url, headers, body, signal, maxReplyBytes } = call
  try {
    const reply = await send(url, {
      dispatcher,
      method: method as 'GET',
      headers,
      body: body === '' ? null : body,
      signal,
    })
    const parts: Buffer[] = []
    let size = 0
    for await (const part of reply.body as AsyncIterable<Buffer>) {
      size += part.length
      if (size > maxReplyBytes)
        throw errors.callFailed(`${nameOf(url)} answered more than ${maxReplyBytes / MEGABYTE} MB`)
      parts.push(part)
    }
    return {
      status: reply.statusCode,
      statusText: reply.statusText,
      headers: joinHeaders(reply.headers),
      body: Buffer.concat(parts).toString('utf8'),
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (cause instanceof GatewayError) throw cause
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    const fail = code.endsWith('TIMEOUT') ? errors.callTimeout : errors.callFailed
    throw fail(`${method} ${nameOf(url)} failed (${code})`, { cause })
  }
}
