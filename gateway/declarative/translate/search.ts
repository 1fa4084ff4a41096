import { isNumeric, toDigits } from '../parse-json.ts'
import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { boosted, fieldsOf, requiredFields, type WeightedField } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'
import { inNested } from './nested.ts'
import { withPlural } from './plural.ts'
import { rankFeatures } from './rank-features.ts'

/** The clause of a `search` or `suggestion` query; none when there is nothing to look for. */
export function searchClause(query: IdentifiedQuery): JsonObject | undefined {
  const texts = searchTexts(query)
  if (texts) requiredFields(query)
  const clause = textClause(query, texts ?? [])
  return clause && inNested(query, texts ? inCategory(query, clause) : clause)
}

/** The texts to look for; undefined when no value is given at all. */
function searchTexts(query: IdentifiedQuery): string[] | undefined {
  const { value, type } = query
  if (value === undefined) return undefined
  if (typeof value === 'string') return [value]
  if (type === 'suggestion')
    throw invalidQuery(query, 'value', 'must be text, which is what suggestions are made for')
  if (isNumeric(value)) return [toDigits(value)]
  if (Array.isArray(value))
    return value.filter((one) => typeof one === 'string').filter((one) => one.trim() !== '')
  throw invalidQuery(query, 'value', 'must be text, a number or a list of texts')
}

function textClause(query: IdentifiedQuery, texts: string[]): JsonObject | undefined {
  const text = texts.join(' ')
  const features = rankFeatures(query)
  if (isBlank(query, text))
    return features.length > 0 ? { bool: { minimum_should_match: 1, should: features } } : undefined
  const fields = fieldsOf(query).filter(
    ({ name }) => query.enableSynonyms !== false || !name.endsWith('.synonyms'),
  )
  const operator = query.queryFormat === 'and' ? 'and' : 'or'
  if (query.queryString) return { query_string: { query: text, default_operator: operator } }
  if (query.searchOperators)
    return {
      simple_query_string: { query: text, fields: fields.map(boosted), default_operator: operator },
    }
  const match = (type: string, matched: string, more = {}, among = fields.map(boosted)) => ({
    multi_match: { query: matched, fields: among, type, operator, ...more },
  })
  const sought = query.type === 'suggestion' ? withoutLoneSigns(text) : text
  const prefixFields = texts.length > 1 ? [] : fields.filter(isForPrefixes).map(withPlainWeight)
  const prefix = prefixFields.length > 0 ? [match('phrase_prefix', sought, {}, prefixFields)] : []
  const crossFields = match('cross_fields', withPlural(withoutLoneSigns(text)))
  const phrase = match('phrase', sought)
  const should =
    operator === 'and'
      ? [crossFields, phrase, ...prefix, ...features]
      : [
          crossFields,
          match('best_fields', sought, { fuzziness: query.fuzziness ?? 0 }),
          phrase,
          ...features,
          ...prefix,
        ]
  return { bool: { minimum_should_match: features.length > 0 ? 2 : 1, should } }
}

const isBlank = ({ type, queryString, searchOperators }: IdentifiedQuery, text: string) =>
  (type === 'suggestion' && !queryString && !searchOperators
    ? withoutLoneSigns(text)
    : text
  ).trim() === ''

/** Drops words that are one sign only, and shrinks runs of blanks. */
const withoutLoneSigns = (text: string) =>
  text
    .split(/\s+/)
    .filter((word) => word !== '' && !/^[^\p{L}\p{N}]$/u.test(word))
    .join(' ')

const isForPrefixes = ({ name }: WeightedField) => !/\.(?:keyword|autosuggest|search)$/.test(name)

const withPlainWeight = ({ name, weight = 0 }: WeightedField) => (weight > 0 ? `${name}^1.0` : name)

function inCategory({ categoryField, categoryValue }: IdentifiedQuery, clause: JsonObject) {
  if (!categoryField || categoryValue === undefined || categoryValue === '*') return clause
  return { bool: { must: [clause, { term: { [categoryField]: categoryValue } }] } }
}
