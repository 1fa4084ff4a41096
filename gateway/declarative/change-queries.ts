import { errors } from '../errors.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { parseJson } from './parse-json.ts'
import { properNames } from './proper-names.ts'

/**
 * Rewrites the queries of a declarative body that is not translated yet; everything else stays,
 * numbers to the digit.
 * @throws {GatewayError} DECLARATIVE_INVALID when the body is something else.
 */
export function changeQueries(body: string, change: (queries: JsonObject[]) => JsonObject[]) {
  const request = readRequest(body)
  const { query } = request
  if (!Array.isArray(query) || !query.every(isJsonObject)) throw notDeclarative()
  return JSON.stringify({ ...request, query: change(query.map(properNames.query)) })
}

/** Rewrites the text of every query that searches for text; lists of texts entry by entry. */
export const changeSearchTexts = (body: string, change: (text: string) => string) =>
  changeQueries(body, (queries) =>
    queries.map((query) =>
      isTextQuery(query) ? { ...query, value: changeTexts(query.value, change) } : query,
    ),
  )

/** Whether a query searches for text and says for which. */
export const isTextQuery = ({ type = 'search', value }: JsonObject) =>
  (type === 'search' || type === 'suggestion') && value !== undefined && value !== null

function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  return Array.isArray(value) ? value.map((one) => changeTexts(one, change)) : value
}

function readRequest(body: string) {
  let request: unknown
  try {
    request = parseJson(body)
  } catch (cause) {
    throw notDeclarative(cause)
  }
  if (!isJsonObject(request)) throw notDeclarative()
  return properNames.request(request)
}

const notDeclarative = (cause?: unknown) =>
  errors.declarativeInvalid(
    'The request body is no declarative request {"query": [{"id": "…"}]}. ' +
      'A stage that changes queries must stand before declarativeQuery, which translates them',
    { cause },
  )
