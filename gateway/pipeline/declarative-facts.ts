import { READ, type RequestFacts } from './request-facts.ts'

/** What triggers and provided envs read from a declarative body. */
export interface DeclarativeFacts {
  readonly queries: readonly { readonly type?: string; readonly value: unknown }[]
  /** Field → value of the `term` queries. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly customEvents?: Readonly<Record<string, unknown>>
  /** Text of the first query that has one, and type of the first query. */
  readonly query?: string
  readonly type?: string
}

const NOTHING: DeclarativeFacts = { queries: [], filters: {} }

/** Reads a request's body as a declarative request; one that is none has no queries. */
export function declarativeFacts(request: RequestFacts): DeclarativeFacts {
  const before = request[READ]
  if (before && before.body === request.body) return before.facts
  const facts = readFacts(request.body)
  request[READ] = { body: request.body, facts }
  return facts
}

function readFacts(text: string | undefined): DeclarativeFacts {
  if (!text) return NOTHING
  const body = parseOrNothing(text)
  if (!isObject(body)) return NOTHING
  const queries = (Array.isArray(body['query']) ? body['query'] : []).filter(isObject)
  const filters: Record<string, unknown> = {}
  for (const { type, dataField, value } of queries) {
    const field = fieldOf(dataField)
    if (type === 'term' && field && value !== undefined && value !== null) filters[field] = value
  }
  const settings = isObject(body['settings']) ? body['settings'] : {}
  const { customEvents } = settings
  return {
    queries: queries.map(({ type, value }) => ({ type: textOrNothing(type), value })),
    filters,
    customEvents: isObject(customEvents) ? customEvents : undefined,
    query: queries.map(({ value }) => textOrNothing(value)).find(Boolean),
    type: textOrNothing(queries[0]?.['type']),
  }
}

const parseOrNothing = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Not every body is JSON; such a request has no declarative facts.
    return undefined
  }
}

/** The first field of `dataField`: a name, an object with one, or a list of either. */
function fieldOf(dataField: unknown): string | undefined {
  const [first] = Array.isArray(dataField) ? (dataField as unknown[]) : [dataField]
  return textOrNothing(isObject(first) ? first['field'] : first)
}

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
