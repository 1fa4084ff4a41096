import { z } from 'zod'
import { changeQueries } from '../declarative/change-queries.ts'
import { isJsonObject, type JsonObject } from '../declarative/json-object.ts'
import { defineStage } from './define.ts'

const Value = z.union([z.string(), z.number(), z.boolean()])

/** Narrows the first search by fields that must have the given values. */
export const addFilter = defineStage({
  use: 'addFilter',
  summary: 'Filter the first search by field values',
  inputs: z.strictObject({
    data: z
      .record(z.string(), z.union([Value, z.array(Value)]))
      .describe('Field → the value it must have, or a list of which it must have one'),
  }),
  run({ request }, { data }) {
    const body = changeQueries(request.body, (queries) => withFilters(queries, data))
    return { changes: { request: { body } } }
  },
})

/** Each filter is a query that is not run; the first search reacts to it. */
function withFilters(queries: JsonObject[], data: Record<string, unknown>): JsonObject[] {
  const at = queries.findIndex(({ type = 'search' }) => type === 'search')
  const search = queries[at]
  if (!search) return queries
  const filters = Object.entries(data).map(([field, value]) => ({
    id: `query_rule_filter_${field}`,
    type: 'term',
    dataField: field,
    value,
    execute: false,
  }))
  const react = isJsonObject(search.react) ? search.react : {}
  const before = react.and === undefined || react.and === null ? [] : [react.and].flat()
  const and = [...before, ...filters.map(({ id }) => id)]
  return [...queries.with(at, { ...search, react: { ...react, and } }), ...filters]
}
