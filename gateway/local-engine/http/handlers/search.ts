import { EngineFailure, failures, searchPhaseFailure } from '../../errors.ts'
import { defineEndpoint, INDEX_OPTIONS, type Parameters } from '../../features/define.ts'
import { float32 } from '../../json/values.ts'
import { isObject } from '../../mapping/parse.ts'
import { countDocuments } from '../../search/count.ts'
import { checkSearchBody } from '../../search/check.ts'
import { executeSearch } from '../../search/phase.ts'
import type { SearchParams } from '../../search/target.ts'
import type { ClusterIndex } from '../../cluster/cluster.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import type { EngineRequest } from '../request.ts'
import { SOURCE_PARAMETERS } from './get.ts'

/** Parameters of one search and of several at once. */
export const SEARCH_OPTIONS: Parameters = {
  typed_keys: 'boolean',
  preference: 'no-effect',
  routing: 'no-effect',
  request_cache: 'no-effect',
  batched_reduce_size: 'no-effect',
  max_concurrent_shard_requests: 'no-effect',
  pre_filter_shard_size: 'no-effect',
  ccs_minimize_roundtrips: 'no-effect',
  ignore_throttled: 'no-effect',
  search_type: ['query_then_fetch', 'dfs_query_then_fetch'],
  cancel_after_time_interval: 'no-effect',
  phase_took: 'none',
}

const URI_SEARCH: Parameters = {
  q: 'none',
  analyzer: 'none',
  analyze_wildcard: 'none',
  default_operator: 'none',
  df: 'none',
  lenient: 'none',
}

const SEARCH_PARAMETERS: Parameters = {
  ...INDEX_OPTIONS,
  ...SEARCH_OPTIONS,
  ...URI_SEARCH,
  ...SOURCE_PARAMETERS,
  from: 'int',
  size: 'int',
  sort: 'text',
  track_total_hits: 'text',
  track_scores: 'boolean',
  rest_total_hits_as_int: 'boolean',
  version: 'boolean',
  seq_no_primary_term: 'boolean',
  timeout: 'text',
  allow_partial_search_results: 'no-effect',
  stats: 'no-effect',
  terminate_after: 'none',
  scroll: 'none',
  explain: 'none',
  stored_fields: 'none',
  docvalue_fields: 'none',
  suggest_field: 'none',
  suggest_mode: 'none',
  suggest_size: 'none',
  suggest_text: 'none',
  search_pipeline: 'none',
}

/** What only an index makes a failure: the engine answers it as a failure of its shards. */
const AT_SHARDS = new Set([
  'query_shard_exception',
  'too_many_clauses',
  'search_exception',
  'aggregation_execution_exception',
])

/** What may be wrong with the body, or with how it meets an index. */
const ANYWHERE = new Set([
  'illegal_argument_exception',
  'number_format_exception',
  'parse_exception',
])

/** Failures that spoil no search but their own: others would answer what this engine refuses. */
const SPOILS_ITSELF = new Set(['unsupported_feature_exception', 'search_phase_execution_exception'])

/** The failure that stands in a search body itself, whatever index it meets; undefined if none. */
export async function failureOfBody(
  body: unknown,
  params: SearchParams,
): Promise<EngineFailure | undefined> {
  try {
    await checkSearchBody(body, params)
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    if (error.isAtShards || AT_SHARDS.has(error.type) || SPOILS_ITSELF.has(error.type))
      return undefined
    return error
  }
  return undefined
}

/** Runs a search and gives failures of its indices the shape the engine gives them. */
export async function searchTargets(
  found: readonly ClusterIndex[],
  body: unknown,
  engine: Engine,
  given: SearchParams,
): Promise<object> {
  const params = { ...given, profile: engine.profile }
  const [first] = found
  if (!first) {
    const failure = await failureOfBody(body, params)
    if (failure) throw failure
  }
  try {
    const targets = found.map(({ index }) => index.target())
    const answer = await executeSearch(targets, body, params)
    // A search that met no index has the score zero, not none.
    if (!first) return { ...answer, hits: { ...answer.hits, max_score: float32(0) } }
    return answer
  } catch (error) {
    throw await inItsShape(error, { found, body, engine, params })
  }
}

interface Attempt {
  readonly found: readonly ClusterIndex[]
  readonly body: unknown
  readonly engine: Engine
  readonly params: SearchParams
}

/** A failure as the engine answers it: wrapped when only the index made it one. */
async function inItsShape(error: unknown, { found, body, engine, params }: Attempt) {
  const [first] = found
  if (!(error instanceof EngineFailure) || !first) return error
  const isAtShards =
    error.isAtShards ||
    AT_SHARDS.has(error.type) ||
    (ANYWHERE.has(error.type) && !(await failureOfBody(body, params)))
  return isAtShards ? searchPhaseFailure(first.index.identity, engine.cluster.nodeId, error) : error
}

const split = (text: string) => text.split(',').filter((one) => one !== '')

const toSort = (one: string): readonly unknown[] => {
  const [field = '', order] = one.split(':')
  // Another word than these two is left out, as the engine does.
  return order === 'asc' || order === 'desc' ? [{ [field]: order }] : order ? [] : [field]
}

/** The parts of a search body that stand in the URL instead; these win over the body's. */
function bodyFromUrl(request: EngineRequest): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const name of ['from', 'size'] as const)
    if (request.has(name)) body[name] = request.int(name)
  for (const name of ['track_scores', 'version', 'seq_no_primary_term'] as const)
    if (request.has(name)) body[name] = request.flag(name)
  if (request.has('timeout')) body['timeout'] = request.text('timeout')
  const sort = request.text('sort')
  if (sort !== undefined) body['sort'] = split(sort).flatMap(toSort)
  const track = request.text('track_total_hits')
  if (track !== undefined)
    body['track_total_hits'] =
      track === 'true' || track === 'false' || track === ''
        ? request.flag('track_total_hits')
        : readTotal(request)
  const source = sourceFromUrl(request)
  if (source !== undefined) body['_source'] = source
  return body
}

function readTotal(request: EngineRequest) {
  const number = request.int('track_total_hits')
  if (number !== undefined && number < -1)
    throw failures.illegalArgument(
      `[track_total_hits] parameter must be positive or equals to -1, got ${number}`,
    )
  return number
}

function sourceFromUrl(request: EngineRequest) {
  const source = request.text('_source')
  const includes = request.text('_source_includes') ?? request.text('_source_include')
  const excludes = request.text('_source_excludes') ?? request.text('_source_exclude')
  if (source === undefined && includes === undefined && excludes === undefined) return undefined
  if (source === 'false') return false
  const named = source === undefined || source === 'true' ? [] : split(source)
  return { includes: [...named, ...split(includes ?? '')], excludes: split(excludes ?? '') }
}

/** `GET` or `POST /{index}/_search` */
export const search = defineEndpoint({
  name: 'search',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_search', '/{index}/_search'],
  parameters: SEARCH_PARAMETERS,
  body: 'optional',
  async handle(request, engine) {
    const found = engine.cluster.resolve(request.part('index'), request.indexOptions())
    const given = request.json()
    const fromUrl = bodyFromUrl(request)
    const body = given?.value
    const whole = isObject(body) ? body : {}
    const merged =
      Object.keys(fromUrl).length === 0
        ? body
        : isObject(body) || body === undefined
          ? { ...body, ...fromUrl }
          : body
    return json(
      await searchTargets(found, merged, engine, {
        signal: request.signal,
        totalHitsAsInt: request.has('rest_total_hits_as_int')
          ? request.flag('rest_total_hits_as_int')
          : engine.profile.totalHitsAsInt,
        typedKeys: request.flag('typed_keys'),
        positionOf: (part, place) => given?.positionOf(part === merged ? whole : part, place),
      }),
    )
  },
})

/** `GET` or `POST /{index}/_count` */
export const count = defineEndpoint({
  name: 'count',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_count', '/{index}/_count'],
  parameters: {
    ...INDEX_OPTIONS,
    ...URI_SEARCH,
    preference: 'no-effect',
    routing: 'no-effect',
    ignore_throttled: 'no-effect',
    min_score: 'none',
    terminate_after: 'none',
  },
  body: 'optional',
  async handle(request, engine) {
    const found = engine.cluster.resolve(request.part('index'), request.indexOptions())
    const given = request.json()
    const targets = found.map(({ index }) => index.target())
    const params = {
      signal: request.signal,
      profile: engine.profile,
      positionOf: given?.positionOf,
    }
    try {
      return json(await countDocuments(targets, given?.value, params))
    } catch (error) {
      throw await inItsShape(error, { found, body: given?.value, engine, params })
    }
  },
})

/** `POST /{index}/_validate/query`: whether a query can be read. */
export const validateQuery = defineEndpoint({
  name: 'indices.validate_query',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_validate/query', '/{index}/_validate/query'],
  parameters: {
    ...INDEX_OPTIONS,
    ...URI_SEARCH,
    explain: 'none',
    rewrite: 'none',
    all_shards: 'no-effect',
  },
  body: 'optional',
  async handle(request, engine) {
    const found = engine.cluster.resolve(request.part('index'), request.indexOptions())
    const targets = found.map(({ index }) => index.target())
    const shards = { total: 1, successful: 1, failed: 0 }
    const body = request.object()
    try {
      await countDocuments(targets, body, { signal: request.signal, profile: engine.profile })
      return json({ _shards: shards, valid: true })
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error
      if (error.type === 'unsupported_feature_exception') throw error
      return json(
        error.type === 'query_shard_exception'
          ? { _shards: shards, valid: false }
          : { valid: false },
      )
    }
  },
})
