import type { z } from 'zod'
import { errors } from '../errors.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { isNumeric, parseJson, toNumber } from './parse-json.ts'
import { type DeclarativeRequest, type IdentifiedQuery, Query, Settings } from './request.ts'

/**
 * Reads a declarative request. Property names count in any case, unknown ones are left out, and
 * null counts as absent. Numbers inside values keep their digits.
 * @throws {GatewayError} DECLARATIVE_INVALID, naming the query and the property.
 */
export function parseRequest(body: string): DeclarativeRequest {
  const request = readObject(body)
  const { query = [], settings, metadata } = withNames(request, REQUEST_NAMES)
  if (!Array.isArray(query)) throw errors.declarativeInvalid('"query" must be a list of queries')
  if (metadata !== undefined && !isJsonObject(metadata))
    throw errors.declarativeInvalid('"metadata" must be an object')
  return {
    query: query.map(readQuery),
    ...(settings !== undefined && { settings: readSettings(settings) }),
    ...(metadata !== undefined && { metadata }),
  }
}

function readObject(body: string) {
  let parsed: unknown
  try {
    parsed = parseJson(body)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw errors.declarativeInvalid(`The body is not valid JSON: ${reason}`, { cause })
  }
  if (isJsonObject(parsed)) return parsed
  throw errors.declarativeInvalid('The body must be an object such as {"query": [{"id": "…"}]}')
}

const lowerCased = (names: readonly string[]) =>
  new Map(names.map((name) => [name.toLowerCase(), name]))
const REQUEST_NAMES = lowerCased(['query', 'settings', 'metadata'])
const QUERY_NAMES = lowerCased(Object.keys(Query.shape))
const SETTINGS_NAMES = lowerCased(Object.keys(Settings.shape))
const ENDPOINT_NAMES = lowerCased(['url', 'method', 'headers', 'body'])

/** The known properties under their proper names; null stays only where it is refused. */
function withNames(from: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(from)) {
    const name = names.get(key.toLowerCase())
    if (name && (value !== null || name === 'type')) out[name] = value
  }
  return out
}

/** Properties whose numbers are reckoned with, so that plain ones will do. */
const COUNTS = ['from', 'size', 'aggregationSize', 'interval', 'candidates', 'maxPredictedWords']

function readQuery(given: unknown, index: number): IdentifiedQuery {
  if (!isJsonObject(given))
    throw errors.declarativeInvalid(`Query number ${index + 1} must be an object`)
  const named = withNames(given, QUERY_NAMES)
  for (const name of COUNTS) {
    const value = named[name]
    if (isNumeric(value)) named[name] = toNumber(value)
  }
  if (isJsonObject(named.endpoint)) named.endpoint = withNames(named.endpoint, ENDPOINT_NAMES)
  const id = typeof named.id === 'string' ? named.id : ''
  const query = check(Query, named, id ? `Query "${id}"` : `Query number ${index + 1}`)
  if (!id)
    throw errors.declarativeInvalid(
      `Query number ${index + 1} has no "id": give it one, its answer is found under it`,
    )
  return { ...query, id }
}

function readSettings(given: unknown) {
  if (!isJsonObject(given)) throw errors.declarativeInvalid('"settings" must be an object')
  return check(Settings, withNames(given, SETTINGS_NAMES), 'The settings')
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, owner: string) {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const message = issue?.message.replace(/^Invalid (input|option): /, '') ?? 'not valid'
  throw errors.declarativeInvalid(`${owner}, property "${issue?.path.join('.') ?? ''}": ${message}`)
}
