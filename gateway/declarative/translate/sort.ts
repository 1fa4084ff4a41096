import { isJsonObject, type JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { fieldsOf } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'

/** The order of the hits of a `search` query, in the order the fields are given. */
export function sortOf(query: IdentifiedQuery): JsonObject[] | undefined {
  const { sortBy, sortField } = query
  if (sortBy === undefined && (sortField === undefined || sortField === null)) return undefined
  if (sortBy === 'count')
    throw invalidQuery(query, 'sortBy', '"count" is for queries of type term: use asc or desc')
  const byName = (field: string): JsonObject => ({
    // A score that ascends shows the worst first: nobody means that.
    [field]: { order: field === '_score' ? 'desc' : (sortBy ?? 'asc') },
  })
  if (sortField === undefined || sortField === null) {
    const [first] = fieldsOf(query)
    if (!first)
      throw invalidQuery(query, 'sortBy', 'needs a "dataField" or a "sortField" to sort by')
    return [byName(first.name)]
  }
  if (typeof sortField === 'string') return [byName(sortField)]
  if (!Array.isArray(sortField))
    throw invalidQuery(query, 'sortField', 'must be a field or a list such as [{"price": "asc"}]')
  return sortField.flatMap((entry: unknown, position) => {
    if (typeof entry === 'string') return [byName(entry)]
    if (!isJsonObject(entry))
      throw invalidQuery(query, `sortField.${position}`, 'must be a field or {field: "asc"}')
    return Object.entries(entry).map(([field, order]) => {
      if (order !== 'asc' && order !== 'desc')
        throw invalidQuery(query, `sortField.${position}.${field}`, 'must be "asc" or "desc"')
      return { [field]: { order } }
    })
  })
}
