import { EngineFailure, failures, requestInvalid, toCause } from '../errors.ts'
import { parseDuration } from '../index/duration.ts'
import { createPositions, parseJson, type JsonObject } from '../json/parse.ts'
import { isObject } from '../mapping/parse.ts'

interface RequestParts {
  readonly method: string
  readonly path: string
  /** From the path template, decoded. */
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: ReadonlyMap<string, string>
  readonly body: Uint8Array
  readonly signal: AbortSignal
}

/** Parameters the engine says more about when they are neither true nor false. */
const CONVERTED = new Set(['ignore_unavailable', 'allow_no_indices'])

function wrongFlag(name: string, value: string) {
  const wrong = failures.illegalArgument(
    `Failed to parse value [${value}] as only [true] or [false] are allowed.`,
  )
  if (!CONVERTED.has(name)) return wrong
  return failures.illegalArgument(`Could not convert [${name}] to boolean`, {
    causedBy: toCause(wrong),
  })
}

/** Parameters the engine reads as 64-bit numbers. */
const LONG = new Set(['version', 'if_seq_no', 'if_primary_term'])

/** A request whose path and parameters were found good; readers throw what the engine would. */
export function createRequest(parts: RequestParts) {
  const { query, body, pathParameters } = parts

  function flag(name: string, otherwise = false): boolean {
    const value = query.get(name)
    if (value === undefined) return otherwise
    if (value === '' || value === 'true') return true
    if (value === 'false') return false
    throw wrongFlag(name, value)
  }

  function int(name: string): number | undefined {
    const value = query.get(name)
    if (value === undefined) return undefined
    if (/^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value)
    throw failures.illegalArgument(
      `Failed to parse ${LONG.has(name) ? 'long' : 'int'} parameter [${name}] with value [${value}]`,
      {
        causedBy: { type: 'number_format_exception', reason: `For input string: "${value}"` },
      },
    )
  }

  return {
    ...parts,
    /** A path parameter; empty when the path is one without it. */
    part: (name: string) => pathParameters[name] ?? '',
    has: (name: string) => query.has(name),
    text: (name: string) => query.get(name),
    flag,
    int,
    duration(name: string): number | undefined {
      const value = query.get(name)
      return value === undefined ? undefined : parseDuration(value, name)
    },
    /** The body as JSON with the way to positions in it; undefined when there is none. */
    json(): { value: unknown; positionOf: ReturnType<typeof createPositions> } | undefined {
      if (body.length === 0) return undefined
      const value = parseJson(body)
      return { value, positionOf: createPositions(body, value) }
    },
    /** The body as a JSON object; an empty one when there is no body. */
    object(): JsonObject {
      if (body.length === 0) return {}
      const value = parseJson(body)
      if (isObject(value)) return value
      throw failures.parse('request body must be a JSON object')
    },
    indexOptions: () => ({
      ignoreUnavailable: flag('ignore_unavailable'),
      allowNoIndices: flag('allow_no_indices', true),
    }),
    /** `refresh` of a write. */
    refreshPolicy(): 'true' | 'false' | 'wait_for' {
      const value = query.get('refresh')
      if (value === undefined || value === 'false') return 'false'
      if (value === '' || value === 'true') return 'true'
      if (value === 'wait_for') return value
      throw failures.illegalArgument(`Unknown value for refresh: [${value}].`)
    },
  }
}

/**
 * The body of a request whose errors the engine wraps once more.
 * @throws {EngineFailure} parse_exception with what is wrong as its cause.
 */
export function readWrapped(request: EngineRequest): JsonObject {
  try {
    return request.object()
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.type === 'parse_exception') throw error
    throw failures.parse('Failed to parse content to map', { causedBy: toCause(error) })
  }
}

export type EngineRequest = ReturnType<typeof createRequest>

/** Conditions of a write as parameters of a URL or of a bulk line. */
export interface ConditionValues {
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
  readonly version: number | undefined
  readonly versionType: string | undefined
}

/** @throws {EngineFailure} action_request_validation_exception for those that contradict. */
export function readConditions({
  ifSeqNo,
  ifPrimaryTerm,
  version,
  versionType = 'internal',
}: ConditionValues) {
  if (ifSeqNo !== undefined && ifPrimaryTerm === undefined)
    throw requestInvalid('ifSeqNo is set, but primary term is [0]')
  if (ifSeqNo === undefined && ifPrimaryTerm !== undefined)
    throw requestInvalid(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`)
  if (versionType !== 'internal' && versionType !== 'external' && versionType !== 'external_gte')
    throw failures.illegalArgument(`No version type match [${versionType}]`)
  if (versionType === 'internal') {
    if (version !== undefined)
      throw requestInvalid(
        'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
      )
    return { ifSeqNo, ifPrimaryTerm }
  }
  if (ifSeqNo !== undefined)
    throw requestInvalid('compare and write operations can not use versioning')
  if (version === undefined || version < 0)
    throw requestInvalid(
      `illegal version value [${version ?? -3}] for version type [${versionType.toUpperCase()}]`,
    )
  return { version, versionType } as const
}

/** The engine's answer to a request that needs a body and has none. */
export const bodyRequired = (): EngineFailure => failures.parse('request body is required')
