import { STATUS_CODES } from 'node:http'
import type { Context } from '../contract/context.ts'
import { isSecretHeader, MASKED, type Mask } from './masking.ts'
import type { RunRecord } from './run-record.ts'

interface Exchange {
  startTime: number
  endTime: number
  request: Context['request']
  response?: Context['response']
  comment: string
}

/** One run as HAR 1.2: its own exchange first, then the requests its stages sent, by their start. */
export function toHar(run: RunRecord, { mask, version }: { mask: Mask; version: string }) {
  const { summary, context, response, stages } = run
  const own: Exchange = {
    startTime: summary.startTime,
    endTime: summary.responseTime ?? summary.endTime ?? summary.startTime,
    request: context.request,
    response,
    comment: `pipeline ${summary.pipelineId}, run ${summary.runId}`,
  }
  const calls = stages
    .flatMap(({ stage, calls }) =>
      calls.map(({ start, end }): Exchange => ({
        startTime: start.at,
        endTime: end?.at ?? start.at,
        request: start.request,
        response: end?.response,
        comment: `stage ${stage.id}${end?.error === undefined ? '' : `: ${end.error}`}`,
      })),
    )
    .toSorted((a, b) => a.startTime - b.startTime)
  return {
    log: {
      version: '1.2',
      creator: { name: 'Sluice', version },
      entries: [own, ...calls].map((exchange) => toEntry(exchange, mask)),
    },
  }
}

function toEntry({ startTime, endTime, request, response, comment }: Exchange, mask: Mask) {
  const time = Math.max(0, endTime - startTime)
  const url = URL.parse(request.url, 'http://engine')
  return {
    startedDateTime: new Date(startTime).toISOString(),
    time,
    request: {
      method: request.method,
      url: mask(url?.href ?? request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toHeaders(request.headers, mask),
      queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({
        name,
        value: mask(value),
      })),
      ...(request.body !== '' && {
        postData: { mimeType: typeOf(request.headers), text: mask(request.body) },
      }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body),
    },
    // HAR has no absent answer; status 0 is what browsers write for one that never came.
    response: {
      status: response?.code ?? 0,
      statusText: STATUS_CODES[response?.code ?? 0] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toHeaders(response?.headers ?? {}, mask),
      content: {
        size: Buffer.byteLength(response?.body ?? ''),
        mimeType: typeOf(response?.headers ?? {}),
        text: mask(response?.body ?? ''),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: mask(comment),
  }
}

const toHeaders = (headers: Readonly<Record<string, string>>, mask: Mask) =>
  Object.entries(headers).map(([name, value]) => ({
    name,
    value: isSecretHeader(name) ? MASKED : mask(value),
  }))

const typeOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ??
  'application/octet-stream'
