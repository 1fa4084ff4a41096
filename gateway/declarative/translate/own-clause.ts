import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery, QueryType } from '../request.ts'
import { geoClause } from './geo.ts'
import { rangeClause } from './range.ts'
import { searchClause } from './search.ts'
import { termClause } from './term.ts'

const byType: Record<QueryType, (query: IdentifiedQuery) => JsonObject | undefined> = {
  search: searchClause,
  suggestion: searchClause,
  term: termClause,
  range: rangeClause,
  geo: geoClause,
}

/** What a query's type says when it is left out. */
export const typeOf = ({ type = 'search' }: IdentifiedQuery) => type

/** The clause a query's own value makes; undefined when the value asks for nothing. */
export const ownClause = (query: IdentifiedQuery) => byType[typeOf(query)](query)
