import { EngineFailure, failures, unsupported } from '../errors.ts'
import {
  isObject,
  malformed,
  tokenName,
  type JsonObject,
  type ParseContext,
} from '../query/define.ts'
import { readSort, type SortSpec } from './sort-spec.ts'
import { readSourceFilter, type SourceFilter } from './source-filter.ts'

/** A search as its body asks for it, defaults filled in. */
export interface SearchRequest {
  readonly query: unknown
  readonly postFilter: unknown
  readonly from: number
  readonly size: number
  /** Empty: by score. */
  readonly sort: readonly SortSpec[]
  readonly searchAfter: readonly unknown[] | undefined
  /** Up to where hits are counted exactly; undefined: not at all, infinite: all. */
  readonly trackTotalHits: number | undefined
  readonly trackScores: boolean
  readonly minScore: number | undefined
  readonly source: SourceFilter
  readonly aggregations: JsonObject | undefined
  readonly version: boolean
  readonly seqNo: boolean
  readonly timeoutMs: number | undefined
}

/** Parts of a search body that take effect, or rightly have none on one node. */
export const SEARCH_PARAMETERS = [
  'query',
  'post_filter',
  'from',
  'size',
  'sort',
  'search_after',
  'track_total_hits',
  'track_scores',
  'min_score',
  '_source',
  'aggs',
  'aggregations',
  'version',
  'seq_no_primary_term',
  'timeout',
  'stats',
] as const

/** Parts of a search body the dialect has and this engine refuses. */
export const REFUSED_SEARCH_PARAMETERS = [
  'collapse',
  'derived',
  'docvalue_fields',
  'explain',
  'ext',
  'fields',
  'highlight',
  'include_named_queries_score',
  'indices_boost',
  'knn',
  'pit',
  'profile',
  'rescore',
  'runtime_mappings',
  'script_fields',
  'search_pipeline',
  'slice',
  'stored_fields',
  'suggest',
  'terminate_after',
  'verbose_pipeline',
] as const

const DEFAULT_SIZE = 10
const DEFAULT_TRACK_TOTAL_HITS = 10_000

/**
 * Reads a search body; undefined is an empty one.
 * @throws {EngineFailure} naming what it does not know.
 */
export function readSearchBody(given: unknown, context: Pick<ParseContext, 'positionOf'>) {
  const body = given ?? {}
  if (!isObject(body))
    throw malformed(`Expected [START_OBJECT] but found [${tokenName(body)}]`, body, context)
  for (const [key, value] of Object.entries(body)) {
    if ((SEARCH_PARAMETERS as readonly string[]).includes(key)) continue
    if ((REFUSED_SEARCH_PARAMETERS as readonly string[]).includes(key))
      throw unsupported(`search.${key}`, `[${key}] of a search`)
    throw malformed(`Unknown key for a ${tokenName(value)} in [${key}].`, body, context)
  }
  const request: SearchRequest = {
    query: body.query,
    postFilter: body.post_filter,
    from: readCount(body, 'from', 0),
    size: readCount(body, 'size', DEFAULT_SIZE),
    sort: readSort(body.sort),
    searchAfter: readSearchAfter(body),
    trackTotalHits: readTrackTotalHits(body.track_total_hits),
    trackScores: readFlag(body, 'track_scores'),
    minScore: body.min_score === undefined ? undefined : readNumber(body, 'min_score'),
    source: readSourceFilter(body['_source']),
    aggregations: readAggregations(body),
    version: readFlag(body, 'version'),
    seqNo: readFlag(body, 'seq_no_primary_term'),
    timeoutMs: body.timeout === undefined ? undefined : readDuration(body.timeout),
  }
  return request
}

function readNumber(body: JsonObject, name: string): number {
  const value = body[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw failures.illegalArgument(`[${name}] must be a number, but is ${tokenName(value)}`)
}

function readCount(body: JsonObject, name: string, otherwise: number): number {
  if (body[name] === undefined) return otherwise
  const number = readNumber(body, name)
  if (number < 0)
    throw failures.illegalArgument(`[${name}] parameter cannot be negative, found [${number}]`)
  return Math.trunc(number)
}

function readFlag(body: JsonObject, name: string): boolean {
  const value = body[name]
  if (value === undefined || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw failures.illegalArgument(`[${name}] must be true or false, but is ${tokenName(value)}`)
}

function readTrackTotalHits(value: unknown): number | undefined {
  if (value === undefined) return DEFAULT_TRACK_TOTAL_HITS
  if (value === true || value === 'true') return Number.POSITIVE_INFINITY
  if (value === false || value === 'false') return undefined
  const number = readNumber({ track_total_hits: value }, 'track_total_hits')
  if (number === -1) return undefined
  if (number < 0)
    throw failures.illegalArgument(
      `[track_total_hits] parameter must be positive or equals to -1, got ${number}`,
    )
  return number
}

function readSearchAfter(body: JsonObject) {
  const value = body.search_after
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw failures.illegalArgument('[search_after] must be an array')
  return value as readonly unknown[]
}

function readAggregations(body: JsonObject): JsonObject | undefined {
  const value = body.aggs ?? body.aggregations
  if (value === undefined || isObject(value)) return value
  throw new EngineFailure(
    400,
    'parsing_exception',
    `Expected [START_OBJECT] in [aggs] but found [${tokenName(value)}]`,
  )
}

const UNIT_MS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Milliseconds of a duration such as `500ms` or `2s`; −1 is no limit. */
function readDuration(value: unknown): number {
  if (value === -1 || value === '-1') return Number.POSITIVE_INFINITY
  const match = typeof value === 'string' ? /^(\d+)(nanos|micros|ms|s|m|h|d)$/.exec(value) : null
  if (!match)
    throw failures.illegalArgument(
      `failed to parse setting [timeout] with value [${String(value)}] as a time value: unit is missing or unrecognized`,
    )
  return Number(match[1]) * UNIT_MS[match[2]!]!
}
