import { failures } from '../../errors.ts'
import { defineQuery, malformed, type ParseContext } from '../define.ts'
import { crossFields } from '../cross-fields.ts'
import { isPattern, nameMatcher } from '../fields.ts'
import {
  boolPrefixField,
  matchField,
  onField,
  phraseField,
  phrasePrefixField,
  readFullText,
  type FieldQuery,
} from '../full-text.ts'
import { numberOfToken } from '../tokens.ts'
import { boosted, NONE, type QueryNode } from '../node.ts'
import { plainText, readParameters, type Parameters } from '../parameters.ts'

const names = {
  name: 'multi_match',
  parameters: [
    'query',
    'fields',
    'type',
    'tie_breaker',
    'analyzer',
    'zero_terms_query',
    'boost',
    'operator',
    'minimum_should_match',
    'fuzziness',
    'prefix_length',
    'max_expansions',
    'fuzzy_transpositions',
    'lenient',
    'slop',
    'auto_generate_synonyms_phrase_query',
  ],
  refused: ['_name', 'fuzzy_rewrite', 'cutoff_frequency', 'use_dis_max'],
}

const TYPES = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
] as const

const KINDS: Readonly<Record<Exclude<(typeof TYPES)[number], 'cross_fields'>, FieldQuery>> = {
  best_fields: matchField,
  most_fields: matchField,
  phrase: phraseField,
  phrase_prefix: phrasePrefixField,
  bool_prefix: boolPrefixField,
}

/** One text searched in several fields. */
export const multiMatchQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const given = parameters.value('fields')
    const list = given === undefined ? ['*'] : Array.isArray(given) ? given : [given]
    if (!isListOfNames(list))
      throw malformed('[multi_match] query does not support [fields]', body, context, {
        value: 'fields',
      })
    const type = readType(parameters)
    if (
      type !== 'best_fields' &&
      type !== 'most_fields' &&
      type !== 'bool_prefix' &&
      parameters.value('fuzziness') !== undefined
    )
      throw malformed(`Fuzziness not allowed for type [${type}]`, body, context, 'end')
    if (parameters.text('query') === undefined)
      throw malformed('No text specified for multi_match query', body, context, 'end')
    const query = readFullText(parameters, context, list.includes('*'))
    const fields = resolveFields(list.map(plainText), context)
    const sums = type === 'most_fields' || type === 'bool_prefix'
    const tieBreaker = Math.fround(parameters.number('tie_breaker', sums ? 1 : 0))
    const queries =
      type === 'cross_fields'
        ? crossFields(fields, query, tieBreaker, context)
        : Array.from(fields, ([path, boost]) =>
            boosted(onField(KINDS[type], path, query, context), boost),
          )
    return boosted(best(queries, tieBreaker), parameters.number('boost', 1))
  },
})

const isListOfNames = (list: readonly unknown[]) =>
  list.every((one) => typeof one === 'string' || typeof one === 'number')

function readType(parameters: Parameters): (typeof TYPES)[number] {
  const given = parameters.text('type') ?? 'best_fields'
  const type = TYPES.find((one) => one === given.toLowerCase())
  if (!type)
    throw failures.parse(`failed to parse [multi_match] query type [${given}]. unknown type.`)
  return type
}

function best(queries: readonly QueryNode[], tieBreaker: number): QueryNode {
  if (queries.length === 0) return NONE
  return queries.length === 1 ? queries[0]! : { kind: 'disMax', queries, tieBreaker }
}

/** Field names with their boosts; patterns stand for all fields that hold text or numbers. */
function resolveFields(list: readonly string[], context: ParseContext): Map<string, number> {
  const fields = new Map<string, number>()
  const add = (path: string, boost: number) =>
    fields.set(path, Math.fround(boost * (fields.get(path) ?? 1)))
  for (const one of list) {
    const [name = '', boostText = '1'] = one.split('^', 2)
    const boost = numberOfToken(boostText)
    if (boost < 0)
      throw failures.illegalArgument(
        `negative [boost] are not allowed in [multi_match], use a value between 0 and 1 to deboost: [${one}]`,
      )
    if (!isPattern(name)) {
      add(name, boost)
      continue
    }
    const matches = nameMatcher(name)
    for (const { path, type, index } of context.fields.all())
      if (index && type !== 'boolean' && matches(path)) add(path, boost)
  }
  return fields
}
