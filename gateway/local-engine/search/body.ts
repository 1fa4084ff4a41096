import { EngineFailure, failures, parsingFailure, unsupported } from '../errors.ts'
import { isObject, malformed, tokenName, type JsonObject, type Positions } from '../query/define.ts'
import { booleanOf, numberOfToken } from '../query/tokens.ts'
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

/** How each part is written: other kinds of values the engine does not know there. */
const KINDS: Readonly<Record<(typeof SEARCH_PARAMETERS)[number], readonly Kind[]>> = {
  query: ['object'],
  post_filter: ['object'],
  from: ['plain'],
  size: ['plain'],
  sort: ['plain', 'object', 'array'],
  search_after: ['array'],
  track_total_hits: ['plain'],
  track_scores: ['plain'],
  min_score: ['plain'],
  _source: ['plain', 'object', 'array'],
  aggs: ['object'],
  aggregations: ['object'],
  version: ['plain'],
  seq_no_primary_term: ['plain'],
  timeout: ['plain'],
  stats: ['array'],
}

type Kind = 'plain' | 'object' | 'array' | 'null'

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'object' ? 'object' : 'plain'
}

const isKnown = (key: string): key is (typeof SEARCH_PARAMETERS)[number] =>
  (SEARCH_PARAMETERS as readonly string[]).includes(key)

/**
 * Reads a search body; undefined is an empty one.
 * @throws {EngineFailure} naming what it does not know.
 */
export function readSearchBody(given: unknown, context: Positions) {
  const body = given === undefined ? {} : given
  if (!isObject(body)) throw noObject(body)
  for (const [key, value] of Object.entries(body)) {
    if ((REFUSED_SEARCH_PARAMETERS as readonly string[]).includes(key))
      throw unsupported(`search.${key}`, `[${key}] of a search`)
    if (!isKnown(key) || !KINDS[key].includes(kindOf(value)))
      throw malformed(`Unknown key for a ${tokenName(value)} in [${key}].`, body, context, {
        value: key,
      })
  }
  const request: SearchRequest = {
    query: body.query,
    postFilter: body.post_filter,
    from: readCount(body, 'from', 0),
    size: readCount(body, 'size', DEFAULT_SIZE),
    sort: readSort(body, context),
    searchAfter: readSearchAfter(body, context),
    trackTotalHits: readTrackTotalHits(body.track_total_hits),
    trackScores: readFlag(body, 'track_scores'),
    minScore: body.min_score === undefined ? undefined : numberOfToken(body.min_score),
    source: readSourceFilter(body, context),
    aggregations: readAggregations(body),
    version: readFlag(body, 'version'),
    seqNo: readFlag(body, 'seq_no_primary_term'),
    timeoutMs: body.timeout === undefined ? undefined : readDuration(body.timeout),
  }
  checkStats(body.stats, context)
  return request
}

/** A body that is no object at all. */
export const noObject = (body: unknown) =>
  parsingFailure(`Expected [START_OBJECT] but found [${tokenName(body)}]`, { line: 1, col: 1 })

function readCount(body: JsonObject, name: string, otherwise: number): number {
  if (body[name] === undefined) return otherwise
  const number = Math.trunc(numberOfToken(body[name]))
  if (number < 0)
    throw failures.illegalArgument(`[${name}] parameter cannot be negative, found [${number}]`)
  return number
}

const readFlag = (body: JsonObject, name: string): boolean =>
  body[name] !== undefined && booleanOf(body[name])

function readTrackTotalHits(value: unknown): number | undefined {
  if (value === undefined) return DEFAULT_TRACK_TOTAL_HITS
  if (value === true || value === 'true') return Number.POSITIVE_INFINITY
  if (value === false || value === 'false') return undefined
  const number = Math.trunc(numberOfToken(value))
  if (number === -1) return undefined
  if (number < 0) throw negativeTotal(number)
  return number
}

/** The engine finds out only while it searches, and names no shard. */
const negativeTotal = (number: number) =>
  new EngineFailure(400, 'search_phase_execution_exception', '', {
    rootCauses: [],
    extra: { phase: 'fetch', grouped: true, failed_shards: [] },
    causedBy: {
      type: 'illegal_argument_exception',
      reason: `value must be >= 0, got ${number}`,
    },
  })

function readSearchAfter(body: JsonObject, context: Positions) {
  const value = body.search_after
  if (!Array.isArray(value)) return undefined
  if (value.length === 0) throw failures.illegalArgument('Values must contains at least one value.')
  const wrong = value.findIndex((one) => typeof one === 'object' && one !== null)
  if (wrong >= 0)
    throw malformed(
      `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${tokenName(value[wrong])}] inside search_after.`,
      value,
      context,
      { value: wrong },
    )
  return value as readonly unknown[]
}

function checkStats(value: unknown, context: Positions) {
  if (!Array.isArray(value)) return
  const wrong = value.findIndex((one) => typeof one !== 'string')
  if (wrong >= 0)
    throw malformed(
      `Expected [VALUE_STRING] in [stats] but found [${tokenName(value[wrong])}]`,
      value,
      context,
      { value: wrong },
    )
}

function readAggregations(body: JsonObject): JsonObject | undefined {
  const value = body.aggs ?? body.aggregations
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined
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
