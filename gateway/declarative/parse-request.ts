import type { z } from 'zod'
import { errors } from '../errors.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { isNumeric, nestingDepth, parseJson, toNumber } from './parse-json.ts'
import { properNames } from './proper-names.ts'
import { type DeclarativeRequest, type IdentifiedQuery, Query, Settings } from './request.ts'

/**
 * Reads a declarative request. Property names count in any case, unknown ones are left out, and
 * null counts as absent. Numbers inside values keep their digits.
 * @throws {GatewayError} DECLARATIVE_INVALID, naming the query and the property.
 */
export function parseRequest(body: string): DeclarativeRequest {
  const request = readObject(body)
  const { query = [], settings, metadata } = known(properNames.request(request))
  if (!Array.isArray(query)) throw errors.declarativeInvalid('"query" must be a list of queries')
  if (metadata !== undefined && !isJsonObject(metadata))
    throw errors.declarativeInvalid('"metadata" must be an object')
  return {
    query: query.map(readQuery),
    ...(settings !== undefined && { settings: readSettings(settings) }),
    ...(metadata !== undefined && { metadata }),
  }
}

/** No query comes near it; beyond it, translation would run out of stack. */
const MAX_DEPTH = 500

function readObject(body: string) {
  if (nestingDepth(body) > MAX_DEPTH)
    throw errors.declarativeInvalid(`The body is nested deeper than ${MAX_DEPTH} levels`)
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

/** Properties whose numbers are reckoned with, so that plain ones will do. */
const COUNTS = ['from', 'size', 'aggregationSize', 'interval', 'candidates', 'maxPredictedWords']

/** Null counts as absent, except where it is refused. */
const known = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(([name, value]) => value !== null || name === 'type'),
  )

function readQuery(given: unknown, index: number): IdentifiedQuery {
  if (!isJsonObject(given))
    throw errors.declarativeInvalid(`Query number ${index + 1} must be an object`)
  const named = known(properNames.query(given))
  for (const name of COUNTS) {
    const value = named[name]
    if (isNumeric(value)) named[name] = toNumber(value)
  }
  if (isJsonObject(named.endpoint)) named.endpoint = known(properNames.endpoint(named.endpoint))
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
  return check(Settings, known(properNames.settings(given)), 'The settings')
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, owner: string) {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const message = issue?.message.replace(/^Invalid (input|option): /, '') ?? 'not valid'
  throw errors.declarativeInvalid(`${owner}, property "${issue?.path.join('.') ?? ''}": ${message}`)
}
