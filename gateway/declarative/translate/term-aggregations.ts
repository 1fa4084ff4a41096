import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { fieldsOf } from './fields.ts'
import { missingLabelOf } from './term.ts'

/** The name clients of the reference look for around nested facets. */
const NESTED_NAME = 'reactivesearch_nested'

/** The buckets of a `term` query: a page of them with `pagination`, else the largest. */
export function termAggregations(query: IdentifiedQuery): JsonObject {
  const names = fieldsOf(query).map(({ name }) => name)
  const [first = ''] = names
  const aggs = query.pagination
    ? { [first]: compositeBuckets(query, first) }
    : pivotAggregation(query, names)
  return query.nestedField ? { [NESTED_NAME]: { nested: { path: query.nestedField }, aggs } } : aggs
}

/** Buckets by the first field, in each of them buckets by the next, and so on. */
function pivotAggregation(query: IdentifiedQuery, names: string[]): JsonObject {
  return names.reduceRight<JsonObject>((inner, name) => {
    const own = orderedBuckets(query, name)
    return { [name]: Object.keys(inner).length > 0 ? { ...own, aggs: inner } : own }
  }, {})
}

function orderedBuckets(query: IdentifiedQuery, field: string) {
  const { sortBy = 'count', showMissing } = query
  const size = bucketCount(query)
  const { terms } = termBuckets({ ...query, aggregationSize: size }, field)
  const order = sortBy === 'count' ? { _count: 'desc' } : { _key: sortBy }
  return { terms: { ...terms, order, ...(showMissing && { missing: missingLabelOf(query) }) } }
}

/** Plain buckets of one field, limited by `aggregationSize`, `includeValues`, `excludeValues`. */
export const termBuckets = (query: IdentifiedQuery, field: string) => ({
  terms: {
    field,
    ...(query.aggregationSize !== undefined && { size: query.aggregationSize }),
    ...(query.includeValues && { include: query.includeValues }),
    ...(query.excludeValues && { exclude: query.excludeValues }),
  },
})

/** One page of buckets, the page after `after`; with `aggregationField` each shows its best hit. */
export function compositeBuckets(query: IdentifiedQuery, field: string): JsonObject {
  const { sortBy, showMissing, after, aggregationField } = query
  const size = bucketCount(query)
  const source = {
    field,
    ...(sortBy !== undefined && sortBy !== 'count' && { order: sortBy }),
    ...(showMissing && { missing_bucket: true }),
  }
  return {
    composite: {
      sources: [{ [field]: { terms: source } }],
      ...(size !== undefined && { size }),
      ...(after && { after }),
    },
    ...(aggregationField && { aggs: { [field]: { top_hits: { size: 1 } } } }),
  }
}

/** `aggregationSize`, else the size the query asks for in the end. */
function bucketCount({ aggregationSize, defaultQuery, size }: IdentifiedQuery) {
  const asked = defaultQuery?.size
  return aggregationSize ?? (typeof asked === 'number' ? asked : size)
}
