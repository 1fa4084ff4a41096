import type { FieldMapping } from '../mapping/field.ts'
import type { ParseContext } from './define.ts'
import { searchableField } from './fields.ts'
import { combine, matchField, onField, wordsOf, type FullText } from './full-text.ts'
import { boosted, NONE, type QueryNode } from './node.ts'

interface GroupField {
  readonly mapping: FieldMapping
  readonly boost: number
}

/**
 * The queries of `cross_fields`, one for each group of fields with the same analyzer: every word is
 * looked for in all fields of the group, as if they were one.
 */
export function crossFields(
  fields: ReadonlyMap<string, number>,
  query: FullText,
  tieBreaker: number,
  context: ParseContext,
): QueryNode[] {
  const groups = new Map<string, GroupField[]>()
  const queries: QueryNode[] = []
  for (const [path, boost] of fields) {
    const mapping = path === '_id' ? undefined : searchableField(context.fields, path)
    if (!mapping) {
      queries.push(NONE)
      continue
    }
    const analyzer = query.analyzer?.name ?? analyzerOf(mapping)
    groups.set(analyzer, [...(groups.get(analyzer) ?? []), { mapping, boost }])
  }
  for (const group of groups.values()) {
    const [first, second] = group
    queries.push(
      first && !second
        ? boosted(onField(matchField, first.mapping.path, query, context), first.boost)
        : blendGroup(group, query, tieBreaker, context),
    )
  }
  return queries
}

/** Fields of other types than text share one group: none of them takes values apart. */
const analyzerOf = ({ type, searchAnalyzer }: FieldMapping) =>
  type === 'text' ? searchAnalyzer : 'keyword'

function blendGroup(
  group: readonly GroupField[],
  query: FullText,
  tieBreaker: number,
  context: ParseContext,
): QueryNode {
  const words = wordsOf(group[0]!.mapping, query)
  return combine(
    words.map(({ term }) => blendWord(group, { ...query, text: term }, tieBreaker, context)),
    query,
  )
}

function blendWord(
  group: readonly GroupField[],
  query: FullText,
  tieBreaker: number,
  context: ParseContext,
): QueryNode {
  const blended: { field: string; term: string; boost: number }[] = []
  const others: QueryNode[] = []
  for (const { mapping, boost } of group) {
    const node = onField(matchField, mapping.path, query, context)
    if (mapping.type === 'text') blended.push({ field: mapping.path, term: query.text, boost })
    else if (node.kind === 'term') blended.push({ field: mapping.path, term: node.term, boost })
    else others.push(node.kind === 'none' ? node : boosted(node, boost))
  }
  if (blended.length > 0) others.push({ kind: 'blended', terms: blended, tieBreaker })
  return others.length === 1 ? others[0]! : { kind: 'disMax', queries: others, tieBreaker: 1 }
}
