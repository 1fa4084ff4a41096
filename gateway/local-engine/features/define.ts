import type { Engine } from '../http/engine.ts'
import type { Reply } from '../http/reply.ts'
import type { EngineRequest } from '../http/request.ts'

/** How much of a feature there is. */
export type Support = 'full' | 'partial' | 'no-effect' | 'none'

/**
 * What a query parameter takes; `no-effect` is accepted because it means nothing on one node,
 * `none` is one the dialect has and this engine refuses.
 */
export type ParameterKind =
  'boolean' | 'int' | 'text' | 'time' | 'no-effect' | 'none' | readonly string[]

export type Parameters = Readonly<Record<string, ParameterKind>>

/** One endpoint: all its ways in, and what it does. */
export interface EndpointDefinition {
  /** As in the API's documentation, such as `indices.create`. */
  readonly name: string
  readonly support: Exclude<Support, 'none' | 'no-effect'>
  /** `GET` brings `HEAD` with it. */
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD')[]
  /** Templates such as `/{index}/_doc/{id}`. */
  readonly paths: readonly string[]
  readonly parameters: Parameters
  /** Whether a body is refused, read, or demanded. */
  readonly body: 'none' | 'optional' | 'required'
  readonly handle: (request: EngineRequest, engine: Engine) => Reply | Promise<Reply>
}

/** Declares an endpoint; one line in the registry makes it reachable, refusable and documented. */
export const defineEndpoint = (definition: EndpointDefinition): EndpointDefinition => definition

/** Parameters of every endpoint. */
export const EVERYWHERE: Parameters = {
  pretty: 'boolean',
  human: 'boolean',
  error_trace: 'no-effect',
  filter_path: 'text',
  format: 'text',
  source: 'text',
  source_content_type: 'text',
}

/** Parameters of a node among many, which this one is not. */
export const OF_CLUSTERS: Parameters = {
  cluster_manager_timeout: 'no-effect',
  master_timeout: 'no-effect',
  local: 'no-effect',
}

/** How an index expression is read. */
export const INDEX_OPTIONS: Parameters = {
  ignore_unavailable: 'boolean',
  allow_no_indices: 'boolean',
  expand_wildcards: ['open', 'all', 'none', 'closed', 'hidden', 'open,closed', 'open,hidden'],
}
