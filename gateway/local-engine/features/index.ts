import { aggregations, REFUSED_AGGREGATIONS } from '../aggregations/registry.ts'
import { analyzers } from '../analysis/analyzer.ts'
import { fieldTypes, UNSUPPORTED_PARAMETERS, UNSUPPORTED_TYPES } from '../mapping/fields/index.ts'
import { queries, REFUSED_QUERIES } from '../query/registry.ts'
import { REFUSED_SEARCH_PARAMETERS, SEARCH_PARAMETERS } from '../search/body.ts'
import type { Support } from './define.ts'
import { endpoints } from './endpoints.ts'
import { REFUSED_ENDPOINTS, REFUSED_PATHS } from './refused.ts'

/** One thing the dialect has. */
export interface Feature {
  readonly kind:
    | 'endpoint'
    | 'query'
    | 'aggregation'
    | 'field-type'
    | 'mapping-parameter'
    | 'search'
    | 'analyzer'
  readonly name: string
  readonly support: Support
  /** Endpoints only: the ways in. */
  readonly paths?: readonly string[]
  readonly methods?: readonly string[]
  /** Endpoints only: parameters that are refused. */
  readonly missing?: readonly string[]
}

const named = (kind: Feature['kind'], support: Support, names: Iterable<string>): Feature[] =>
  Array.from(names, (name) => ({ kind, name, support }))

/** Everything the engine supports or refuses by name, from the registries themselves. */
export const listFeatures = (): readonly Feature[] => [
  ...endpoints.map(({ name, support, paths, methods, parameters }): Feature => ({
    kind: 'endpoint',
    name,
    support,
    paths,
    methods,
    missing: Object.keys(parameters).filter((key) => parameters[key] === 'none'),
  })),
  ...named('endpoint', 'none', [...REFUSED_ENDPOINTS, ...REFUSED_PATHS]),
  ...named('search', 'full', SEARCH_PARAMETERS),
  ...named('search', 'none', REFUSED_SEARCH_PARAMETERS),
  ...named(
    'query',
    'full',
    queries.map(({ name }) => name),
  ),
  ...named('query', 'none', REFUSED_QUERIES),
  ...named(
    'aggregation',
    'full',
    aggregations.map(({ name }) => name),
  ),
  ...named('aggregation', 'none', REFUSED_AGGREGATIONS),
  ...named('field-type', 'full', [...fieldTypes.map(({ type }) => type), 'object']),
  ...named('field-type', 'none', UNSUPPORTED_TYPES),
  ...named('mapping-parameter', 'none', UNSUPPORTED_PARAMETERS),
  ...named(
    'analyzer',
    'full',
    analyzers.map(({ name }) => name),
  ),
]
