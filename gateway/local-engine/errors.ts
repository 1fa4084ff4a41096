/** One cause in an error body: a type clients switch on, a sentence, and fields of that type. */
export interface ErrorCause {
  readonly type: string
  readonly reason: string
  readonly caused_by?: ErrorCause
  readonly [extra: string]: unknown
}

interface FailureDetails {
  /** Fields beside type and reason, in the order they are written. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly causedBy?: ErrorCause
  /** What `root_cause` shows; the failure itself when left out. */
  readonly rootCauses?: readonly ErrorCause[]
  /** Where the reader of the body stood; none for what only an index makes a failure. */
  readonly at?: BodyPosition | undefined
  /** The body says it, and yet the engine answers it as a failure of its shards. */
  readonly isAtShards?: boolean
}

/** An error the engine answers a request with. Anything else that is thrown is a bug. */
export class EngineFailure extends Error {
  readonly status: number
  readonly type: string
  readonly reason: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly causedBy?: ErrorCause
  readonly rootCauses?: readonly ErrorCause[]
  readonly at?: BodyPosition | undefined
  readonly isAtShards: boolean

  constructor(status: number, type: string, reason: string, details: FailureDetails = {}) {
    super(reason)
    this.name = type
    this.status = status
    this.type = type
    this.reason = reason
    this.extra = details.extra ?? {}
    this.causedBy = details.causedBy
    this.rootCauses = details.rootCauses
    this.at = details.at
    this.isAtShards = details.isAtShards ?? false
  }
}

/** The failure as it stands at an item of `_bulk` and in `caused_by`: no root cause, no status. */
export const toCause = (failure: EngineFailure): ErrorCause => ({
  type: failure.type,
  reason: failure.reason,
  ...failure.extra,
  ...(failure.causedBy && { caused_by: failure.causedBy }),
})

/** The `error` member of a whole answer or of an item of `_msearch` and `_mget`. */
export const toErrorObject = (failure: EngineFailure) => ({
  root_cause: failure.rootCauses ?? [
    { type: failure.type, reason: failure.reason, ...failure.extra },
  ],
  ...toCause(failure),
})

/** The body of an error answer. */
export const toErrorBody = (failure: EngineFailure) => ({
  error: toErrorObject(failure),
  status: failure.status,
})

const define =
  (status: number, type: string) =>
  (reason: string, details?: FailureDetails): EngineFailure =>
    new EngineFailure(status, type, reason, details)

/** Position of a mistake in a request body, 1-based. */
export interface BodyPosition {
  readonly line: number
  readonly col: number
}

/** The errors of the engine's REST API that need nothing but a sentence. */
export const failures = {
  illegalArgument: define(400, 'illegal_argument_exception'),
  mapperParsing: define(400, 'mapper_parsing_exception'),
  strictDynamicMapping: define(400, 'strict_dynamic_mapping_exception'),
  jsonParse: define(400, 'json_parse_exception'),
  parse: define(400, 'parse_exception'),
  notXContent: define(400, 'not_x_content_exception'),
  numberFormat: define(400, 'number_format_exception'),
  tooManyClauses: define(400, 'too_many_clauses'),
  tooManyBuckets: define(400, 'too_many_buckets_exception'),
  securityRefused: define(403, 'security_exception'),
  bodyTooLarge: define(413, 'content_too_long_exception'),
  circuitBreaking: define(429, 'circuit_breaking_exception'),
  clusterBlock: define(429, 'cluster_block_exception'),
}

/** A malformed query, aggregation or option, with the place where it stands. */
export const parsingFailure = (reason: string, at: BodyPosition, causedBy?: ErrorCause) =>
  new EngineFailure(400, 'parsing_exception', reason, { extra: { ...at }, causedBy, at })

/** A value inside a body object that does not fit; the position goes into the sentence. */
export const xContentParseFailure = (reason: string, at: BodyPosition, causedBy?: ErrorCause) =>
  new EngineFailure(400, 'x_content_parse_exception', `[${at.line}:${at.col}] ${reason}`, {
    causedBy,
    at,
  })

/**
 * Something the dialect has and this engine does not.
 * @param feature its name in the registry, such as `query.percolate` or `endpoint._snapshot`.
 * @param what how the sentence begins, such as `[percolate] query`.
 */
export const unsupported = (feature: string, what: string) =>
  new EngineFailure(
    feature.startsWith('endpoint.') ? 501 : 400,
    'unsupported_feature_exception',
    `${what} is not supported by the local engine; connect a cluster to use it`,
    { extra: { feature } },
  )

/**
 * No index, alias or pattern of that name.
 * @param resource what the engine calls the name: requests for one document say `index_expression`.
 */
export const indexNotFound = (
  index: string,
  resource: 'index_or_alias' | 'index_expression' = 'index_or_alias',
) =>
  new EngineFailure(404, 'index_not_found_exception', `no such index [${index}]`, {
    extra: {
      index,
      'resource.id': index,
      'resource.type': resource,
      index_uuid: '_na_',
    },
  })

/** An index of that name exists already. */
export const indexExists = (index: string, uuid: string) =>
  new EngineFailure(
    400,
    'resource_already_exists_exception',
    `index [${index}/${uuid}] already exists`,
    { extra: { index, index_uuid: uuid } },
  )

/** A name no index may have. */
export const invalidIndexName = (index: string, why: string) =>
  new EngineFailure(400, 'invalid_index_name_exception', `Invalid index name [${index}], ${why}`, {
    extra: { index, index_uuid: '_na_' },
  })

/** Which index a failure of one document belongs to. */
export interface IndexIdentity {
  readonly name: string
  readonly uuid: string
}

const ofShard = ({ name, uuid }: IndexIdentity) => ({ index: name, shard: '0', index_uuid: uuid })

/** @param why what was required and what was found, as the sentence ends. */
export const versionConflict = (index: IndexIdentity, id: string, why: string) =>
  new EngineFailure(409, 'version_conflict_engine_exception', `[${id}]: version conflict, ${why}`, {
    extra: ofShard(index),
  })

/** `_update` of a document that does not exist, without an upsert. */
export const documentMissing = (index: IndexIdentity, id: string) =>
  new EngineFailure(404, 'document_missing_exception', `[${id}]: document missing`, {
    extra: ofShard(index),
  })

/** What is wrong with the parameters of a request, numbered as the engine does. */
export const requestInvalid = (...problems: string[]) =>
  new EngineFailure(
    400,
    'action_request_validation_exception',
    `Validation Failed: ${problems.map((problem, i) => `${i + 1}: ${problem};`).join('')}`,
  )

/** A query that cannot run on an index: wrong type of field, bad date, and the like. */
export const queryShardFailure = (reason: string, causedBy?: ErrorCause) =>
  new EngineFailure(400, 'query_shard_exception', reason, { causedBy })

const WRAPPED_AGAIN = new Set(['illegal_argument_exception', 'number_format_exception'])

/** Wraps what failed while a query ran on an index, as a search answers it. */
export const searchPhaseFailure = (index: IndexIdentity, node: string, failure: EngineFailure) => {
  const place =
    failure.type === 'query_shard_exception' ? { index: index.name, index_uuid: index.uuid } : {}
  const { type, reason, extra, causedBy } = failure
  const cause: ErrorCause = {
    type,
    reason,
    ...place,
    ...extra,
    ...(causedBy && { caused_by: causedBy }),
  }
  // A date nobody can read counts as the cause itself, whatever it was wrapped in.
  const shown = causedBy?.type === 'parse_exception' ? causedBy : cause
  const { caused_by: _, ...rootCause } = shown
  return new EngineFailure(
    failure.status,
    'search_phase_execution_exception',
    'all shards failed',
    {
      rootCauses: [rootCause],
      extra: {
        phase: 'query',
        grouped: true,
        failed_shards: [{ shard: 0, index: index.name, node, reason: cause }],
      },
      // The engine wraps some failures of its own once more.
      causedBy: WRAPPED_AGAIN.has(type) ? { ...cause, caused_by: cause } : shown,
    },
  )
}
