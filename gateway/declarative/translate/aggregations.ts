import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { fieldsOf } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'
import { rangeAggregations } from './range-aggregations.ts'
import { compositeBuckets, termAggregations, termBuckets } from './term-aggregations.ts'

/** The aggregations of a query; undefined when it asks for none. */
export function aggregationsOf(query: IdentifiedQuery, warnings: string[]): JsonObject | undefined {
  const [first] = fieldsOf(query)
  if (!first && query.aggregations)
    throw invalidQuery(query, 'aggregations', 'needs a "dataField" to reckon with')
  if (!first && query.type === 'term' && query.pagination)
    throw invalidQuery(query, 'pagination', 'needs a "dataField" whose values are paged')
  if (query.type === 'term') return first && termAggregations(query)
  const parts = [
    query.type === 'range' ? rangeAggregations(query, warnings) : categoryAggregation(query),
    groupAggregation(query),
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? Object.assign({}, ...parts) : undefined
}

/** Counts hits by category; for queries that search text. */
function categoryAggregation(query: IdentifiedQuery): JsonObject | undefined {
  const { type = 'search', categoryField } = query
  if (!categoryField || type === 'geo') return undefined
  return { [categoryField]: termBuckets(query, categoryField) }
}

/** Groups the hits by `aggregationField`, one hit a group, page by page. */
function groupAggregation(query: IdentifiedQuery): JsonObject | undefined {
  const { aggregationField, nestedField } = query
  if (!aggregationField) return undefined
  const aggs = { [aggregationField]: compositeBuckets(query, aggregationField) }
  // A field outside the path has no values among the nested documents.
  return nestedField && aggregationField.startsWith(`${nestedField}.`)
    ? { [nestedField]: { nested: { path: nestedField }, aggs } }
    : aggs
}
