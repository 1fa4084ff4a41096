import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'

/** The clause, inside the query's nested path when it has one. */
export const inNested = ({ nestedField }: IdentifiedQuery, clause: JsonObject): JsonObject =>
  nestedField ? { nested: { path: nestedField, query: clause } } : clause
