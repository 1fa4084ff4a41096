import { getAnalyzer, type Analyzer } from '../analysis/analyzer.ts'
import { failures, queryShardFailure } from '../errors.ts'
import type { FieldMapping } from '../mapping/field.ts'
import { malformed, type ParseContext, type Positions } from './define.ts'
import { searchableField } from './fields.ts'
import { fuzzyNode, readFuzziness, type FuzzinessRequest } from './fuzziness.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { ALL, boolOf, constant, NONE, type PhrasePosition, type QueryNode } from './node.ts'
import type { Parameters } from './parameters.ts'
import { exactNode, failedToCreate } from './values.ts'

/** What the full-text queries share; each takes the parameters its definition allows. */
export interface FullText {
  readonly text: string
  readonly operator: 'or' | 'and'
  readonly minimum: string | undefined
  readonly fuzziness: FuzzinessRequest | undefined
  readonly slop: number
  readonly maxExpansions: number
  readonly analyzer: Analyzer | undefined
  /** Whether a text without words matches everything. */
  readonly emptyMatchesAll: boolean
  /** A value that does not fit its field matches nothing instead of failing. */
  readonly lenient: boolean
}

/** Reads the parameters; `query` is the text. */
export function readFullText(
  parameters: Parameters,
  context: Positions,
  lenient = false,
): FullText {
  const text = parameters.text('query')
  if (text === undefined)
    throw failures.illegalArgument(`[${parameters.name}] requires query value`)
  const name = parameters.text('analyzer')
  const analyzer = name === undefined ? undefined : getAnalyzer(name)
  if (name !== undefined && !analyzer)
    throw queryShardFailure(`[match] analyzer [${name}] not found`)
  const fuzziness = readFuzziness(parameters, 'fuzzy_transpositions', 'AUTO')
  checkFuzziness(parameters.name, fuzziness)
  const slop = parameters.integer('slop', 0)
  if (slop < 0) throw failures.illegalArgument('No negative slop allowed.')
  return {
    text,
    operator: parameters.word('operator', ['or', 'and'], (given) =>
      failures.illegalArgument(
        `No enum constant org.opensearch.index.query.Operator.${given.toUpperCase()}`,
      ),
    ),
    minimum: parameters.text('minimum_should_match'),
    fuzziness: parameters.value('fuzziness') === undefined ? undefined : fuzziness,
    slop,
    maxExpansions: fuzziness.maxExpansions,
    analyzer,
    emptyMatchesAll:
      parameters.word('zero_terms_query', ['none', 'all'], (given) =>
        malformed(`Unsupported zero_terms_query value [${given}]`, parameters.body, context, {
          value: 'zero_terms_query',
        }),
      ) === 'all',
    lenient: parameters.flag('lenient', lenient),
  }
}

const SHARED_WORDS = new Set(['multi_match', 'match_phrase_prefix'])

/** Two queries say it in other words than the rest, and one of them takes no expansions at all. */
function checkFuzziness(query: string, { prefixLength, maxExpansions }: FuzzinessRequest) {
  const isShared = SHARED_WORDS.has(query)
  if (prefixLength < 0)
    throw failures.illegalArgument(
      isShared
        ? 'No negative prefix length allowed.'
        : `[${query}] requires prefix length to be non-negative.`,
    )
  if (maxExpansions < (query === 'match_phrase_prefix' ? 0 : 1))
    throw failures.illegalArgument(
      isShared
        ? 'No negative maxExpansions allowed.'
        : `[${query}] requires maxExpansions to be positive.`,
    )
}

/** How a full-text query treats the words of one field. */
export type FieldQuery = (
  mapping: FieldMapping,
  query: FullText,
  context: ParseContext,
) => QueryNode

/** Runs a kind of query on a field by name: unmapped fields match nothing. */
export function onField(
  kind: FieldQuery,
  path: string,
  query: FullText,
  context: ParseContext,
): QueryNode {
  if (path === '_id') return { kind: 'ids', ids: [query.text] }
  const mapping = searchableField(context.fields, path)
  if (!mapping) return NONE
  if (!query.lenient) return kind(mapping, query, context)
  try {
    return kind(mapping, query, context)
  } catch {
    // Lenient: what the field cannot hold, it does not have.
    return NONE
  }
}

/** The words of the text as terms of the field, in order; removed words leave gaps. */
export function wordsOf(
  mapping: FieldMapping,
  query: FullText,
): { term: string; offset: number }[] {
  const analyzer =
    query.analyzer ?? getAnalyzer(mapping.type === 'text' ? mapping.searchAnalyzer : 'keyword')
  if (!analyzer) throw failedToCreate(`analyzer [${mapping.searchAnalyzer}] not found`)
  const words: { term: string; offset: number }[] = []
  analyzer.scan(query.text, (term, _start, _end, offset) => void words.push({ term, offset }))
  return words
}

/** Any or all of the words. */
export const matchField: FieldQuery = (mapping, query, context) => {
  const { fuzziness } = query
  if (mapping.type !== 'text') {
    if (!fuzziness) return exactNode(mapping, query.text, context)
    if (mapping.type !== 'keyword')
      throw failedToCreate(
        `Can only use fuzzy queries on keyword and text fields - not on [${mapping.path}] which is of type [${mapping.type}]`,
      )
  }
  return combine(
    wordsOf(mapping, query).map(({ term }) => wordNode(mapping, term, query)),
    query,
  )
}

function wordNode(mapping: FieldMapping, term: string, { fuzziness }: FullText): QueryNode {
  return fuzziness
    ? fuzzyNode(mapping.path, term, fuzziness)
    : { kind: 'term', field: mapping.path, term }
}

/** Words as clauses of one query: a single one stands for itself and ignores the minimum. */
export function combine(nodes: readonly QueryNode[], query: FullText): QueryNode {
  if (nodes.length === 0) return query.emptyMatchesAll ? ALL : NONE
  if (nodes.length === 1) return nodes[0]!
  const should = query.operator === 'or' ? nodes : []
  return boolOf({
    must: query.operator === 'and' ? nodes : [],
    should,
    minimum: query.minimum === undefined ? 0 : minimumShouldMatch(should.length, query.minimum),
  })
}

/** The words one after another, `slop` moves apart at most. */
export const phraseField: FieldQuery = (mapping, query, context) => {
  if (mapping.type !== 'text') return exactNode(mapping, query.text, context)
  const words = wordsOf(mapping, query)
  if (words.length < 2)
    return combine(
      words.map(({ term }) => termOf(mapping, term)),
      query,
    )
  return { kind: 'phrase', field: mapping.path, positions: toPositions(words), slop: query.slop }
}

/** A phrase whose last word is the beginning of one. */
export const phrasePrefixField: FieldQuery = (mapping, query) => {
  if (mapping.type !== 'text')
    throw failedToCreate(
      `Can only use phrase prefix queries on text fields - not on [${mapping.path}] which is of type [${mapping.type}]`,
    )
  const words = wordsOf(mapping, query)
  if (words.length === 0) return combine([], query)
  const { slop, maxExpansions } = query
  return {
    kind: 'phrasePrefix',
    field: mapping.path,
    positions: toPositions(words),
    slop,
    maxExpansions,
  }
}

/** The words as terms, the last one as the beginning of one. */
export const boolPrefixField: FieldQuery = (mapping, query, context) => {
  if (mapping.type !== 'text' && mapping.type !== 'keyword')
    return exactNode(mapping, query.text, context)
  const words = wordsOf(mapping, query)
  const last = words.pop()
  if (!last) return combine([], query)
  return combine(
    [
      ...words.map(({ term }) => wordNode(mapping, term, query)),
      constant({ kind: 'prefix', field: mapping.path, prefix: last.term }),
    ],
    query,
  )
}

const termOf = (mapping: FieldMapping, term: string): QueryNode => ({
  kind: 'term',
  field: mapping.path,
  term,
})

const toPositions = (words: readonly { term: string; offset: number }[]): PhrasePosition[] =>
  words.map(({ term, offset }) => ({ offset: offset - words[0]!.offset, terms: [term] }))

/** Parameters every definition of a full-text query takes. */
export const COMMON_PARAMETERS = ['query', 'analyzer', 'zero_terms_query', 'boost'] as const
