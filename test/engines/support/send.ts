import type { EngineRequest } from './crud-stories.ts'

/** What an engine answered; `body` is parsed where it is JSON. Numbers keep their text. */
export interface EngineAnswer {
  status: number
  type: string | null
  body: unknown
}

/** Sends a request to an engine, with the name of an index in the place of `INDEX`. */
export async function send(url: string, request: EngineRequest, index: string) {
  const named = (text: string) => text.replaceAll('INDEX', index)
  const body =
    typeof request.body === 'string' || request.body === undefined
      ? request.body
      : JSON.stringify(request.body)
  const answer = await fetch(url + named(request.path), {
    method: request.method,
    // fetch sends no body with GET; engines take the same requests by POST.
    ...(body === undefined
      ? {}
      : { body: named(body), headers: { 'content-type': contentTypeOf(request) } }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    body: parse(text),
  } satisfies EngineAnswer
}

const contentTypeOf = ({ path }: EngineRequest) =>
  /_bulk|_msearch/.test(path) ? 'application/x-ndjson' : 'application/json'

/** JSON with numbers as texts such as `#1.0`, since engines tell 1 from 1.0; other text as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? `#${context?.source}` : value,
    )
  } catch {
    return text
  }
}

/** Keys whose values differ from one moment or one machine to the next. */
const VOLATILE = new Set(['took', 'uuid', 'index_uuid', 'creation_date', 'node', 'cluster_name'])
/** An index's own identifier, inside of a message. */
const UUID = /\/[\w-]{22}\]/g

/** Engines list methods in an order of the moment. */
const ALLOWED = /(?<=allowed: \[)[A-Z, ]+(?=\])/
const sorted = (list: string) => list.split(', ').toSorted().join(', ')

/** The answer without what two engines cannot have in common. */
export function stable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(UUID, '/UUID]').replace(ALLOWED, sorted)
  if (Array.isArray(value)) return value.map(stable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      VOLATILE.has(key) ? [] : [[key, stable(inner)]],
    ),
  )
}
