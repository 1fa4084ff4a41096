import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { aggregationsOf } from './aggregations.ts'
import { highlightOf } from './highlight.ts'
import { sortOf } from './sort.ts'

/** Options that also reach the queries reacting to this one. */
export function leakingOptions(query: IdentifiedQuery): JsonObject {
  const isSearch = (query.type ?? 'search') === 'search'
  return present({
    sort: isSearch ? sortOf(query) : undefined,
    collapse: collapseOf(query),
    highlight: highlightOf(query),
  })
}

/** All options of a query's own; `warnings` receives what was asked for and cannot be had. */
export function ownOptions(query: IdentifiedQuery, warnings: string[]): JsonObject {
  const isFacet = query.type === 'term' || query.type === 'range'
  const cursor = query.deepPagination ? query.deepPaginationConfig?.cursor : undefined
  return {
    ...leakingOptions(query),
    ...present({
      size: query.size ?? (isFacet ? 0 : undefined),
      from: cursor ? 0 : query.type === 'term' ? undefined : query.from,
      search_after: cursor ? [cursor] : undefined,
      aggs: aggregationsOf(query, warnings),
    }),
    _source: { includes: query.includeFields ?? ['*'], excludes: query.excludeFields ?? [] },
  }
}

function collapseOf({ distinctField, distinctFieldConfig }: IdentifiedQuery) {
  if (!distinctField && !distinctFieldConfig) return undefined
  return { ...distinctFieldConfig, ...(distinctField && { field: distinctField }) }
}

const present = (options: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
