import type { JsonObject } from '../json-object.ts'
import { isNumeric, type Numeric } from '../parse-json.ts'
import type { IdentifiedQuery } from '../request.ts'
import { requiredFields } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'
import { inNested } from './nested.ts'

type TermValue = string | boolean | Numeric

/** The label of the bucket of documents without a value, unless the query names another. */
export const missingLabelOf = ({ missingLabel = 'N/A' }: IdentifiedQuery) => missingLabel

/** The clause by which a `term` query filters the queries that react to it; none without value. */
export function termClause(query: IdentifiedQuery): JsonObject | undefined {
  const { value } = query
  if (value === undefined || value === '') return undefined
  if (Array.isArray(value) && value.length === 0) return undefined
  const fields = requiredFields(query)
  return inNested(query, clauseOf(query, value, fields))
}

function clauseOf(query: IdentifiedQuery, value: unknown, fields: [string, ...string[]]) {
  const [field] = fields
  const values = termValues(query, value)
  if (query.selectAllLabel && values.includes(query.selectAllLabel))
    return query.showMissing ? { match_all: {} } : { exists: { field } }
  const isMissing = (one: TermValue) => query.showMissing === true && one === missingLabelOf(query)
  if (!Array.isArray(value)) return toTerm(field, values[0], isMissing)

  const isAnd = (query.queryFormat ?? 'or') !== 'or'
  if (fields.length > 1) {
    const pivots = values.map((one) => pivotClause(fields, one))
    return { bool: { [isAnd ? 'must' : 'should']: pivots } }
  }
  if (isAnd) return { bool: { must: values.map((one) => toTerm(field, one, isMissing)) } }

  const present = values.filter((one) => !isMissing(one))
  if (present.length === 0) return hasNo(field)
  const terms = { terms: { [field]: present } }
  return { bool: { should: present.length < values.length ? [terms, hasNo(field)] : [terms] } }
}

function termValues(query: IdentifiedQuery, value: unknown): TermValue[] {
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    if (typeof one === 'string' || typeof one === 'boolean' || isNumeric(one)) return one
    throw invalidQuery(query, 'value', 'must be text, a number, true, false or a list of those')
  })
}

const hasNo = (field: string) => ({ bool: { must_not: { exists: { field } } } })

const toTerm = (
  field: string,
  value: TermValue | undefined,
  isMissing: (value: TermValue) => boolean,
): JsonObject =>
  value !== undefined && isMissing(value) ? hasNo(field) : { term: { [field]: value } }

/** A list's entry over several fields: `"a > b"` is one value for each of the first two. */
function pivotClause(fields: readonly string[], value: TermValue) {
  const levels = typeof value === 'string' ? value.split(' > ') : [value]
  const must = fields.slice(0, levels.length).map((field, level) => ({
    term: { [field]: levels[level] },
  }))
  return { bool: { must } }
}
