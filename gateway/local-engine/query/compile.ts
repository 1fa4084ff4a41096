import type { Profile } from '../config.ts'
import type { FieldLookup } from '../mapping/field.ts'
import type { QueryNode } from './node.ts'
import { createSimilarity, type FieldSimilarity } from './similarity.ts'
import type { Slice } from './slice.ts'
import type { IndexStatistics } from './statistics.ts'
import type { Weight } from './weight.ts'
import { createBoolWeight } from './weights/bool.ts'
import { createDisMaxWeight } from './weights/dis-max.ts'
import {
  choosePrefix,
  chooseRange,
  chooseRegexp,
  chooseTerms,
  chooseWildcard,
  createTermsWeight,
} from './weights/marks.ts'
import { createNumericWeight } from './weights/numeric.ts'
import { createPhraseWeight } from './weights/phrase.ts'
import {
  createAllWeight,
  createConstantWeight,
  createExistsWeight,
  createNoneWeight,
  createRowsWeight,
} from './weights/simple.ts'
import { createTermWeight, type TermScoring } from './weights/term.ts'

/** What turns a simplified query into something that runs on one index. */
export interface CompileContext {
  readonly statistics: IndexStatistics
  readonly fields: FieldLookup
  readonly profile: Profile
  readonly slice: Slice
  idToRow(id: string): number | undefined
}

/** Works boosts and statistics of the whole index into a query. */
export function compile(root: QueryNode, context: CompileContext): Weight {
  const { statistics, profile, slice } = context
  const similarities = new Map<string, FieldSimilarity>()
  return build(root, 1, true)

  function similarityOf(field: string): FieldSimilarity {
    let similarity = similarities.get(field)
    if (!similarity) {
      similarity = createSimilarity(statistics.field(field), profile)
      similarities.set(field, similarity)
    }
    return similarity
  }

  /** @param boost the product of all boosts around the node, a 32-bit float. */
  function build(node: QueryNode, boost: number, scoring: boolean): Weight {
    const all = (nodes: readonly QueryNode[], scored = scoring) =>
      nodes.map((one) => build(one, boost, scored))
    switch (node.kind) {
      case 'all':
        return createAllWeight(boost)
      case 'none':
        return createNoneWeight()
      case 'boost':
        return build(node.query, Math.fround(boost * node.boost), scoring)
      case 'constant':
        return createConstantWeight(build(node.query, 1, false), boost)
      case 'term':
        return createTermWeight(node.field, node.term, scoring ? termScoring(node, boost) : null)
      case 'termSet':
        return createTermsWeight(node.field, chooseTerms([...new Set(node.terms)]), boost)
      case 'termRange':
        return createTermsWeight(node.field, chooseRange(node), boost)
      case 'prefix':
        return createTermsWeight(node.field, choosePrefix(node.prefix), boost)
      case 'wildcard':
        return createTermsWeight(node.field, chooseWildcard(node.pattern), boost)
      case 'regexp':
        return createTermsWeight(node.field, chooseRegexp(node.pattern), boost)
      case 'numericRange':
        return createNumericWeight(node.field, node, boost)
      case 'exists':
        return createExistsWeight(node.field, boost)
      case 'ids':
        return createRowsWeight(new Set(node.ids.flatMap((id) => context.idToRow(id) ?? [])), boost)
      case 'phrase':
        return phrase(node, boost)
      case 'disMax':
        return createDisMaxWeight(all(node.queries), node.tieBreaker, slice)
      case 'bool':
        return createBoolWeight(
          {
            must: all(node.must),
            should: all(node.should),
            filter: all(node.filter, false),
            mustNot: all(node.mustNot, false),
            minimum: node.minimum,
          },
          slice,
        )
      default:
        throw new Error(`a query of kind ${node.kind} has to be expanded before it is compiled`)
    }
  }

  function termScoring(
    { field, term, docFrequency }: Extract<QueryNode, { kind: 'term' }>,
    boost: number,
  ): TermScoring | null {
    const frequency = docFrequency ?? statistics.docFrequency(field, term)
    if (frequency === 0) return null
    const similarity = similarityOf(field)
    return { similarity, weight: similarity.weight(boost, similarity.idf(frequency)) }
  }

  function phrase(node: Extract<QueryNode, { kind: 'phrase' }>, boost: number): Weight {
    const { field, positions, slop } = node
    const similarity = similarityOf(field)
    let idf = 0
    for (const { terms } of positions)
      for (const term of terms) idf += similarity.idf(statistics.docFrequency(field, term))
    const weight = similarity.weight(boost, Math.fround(idf))
    return createPhraseWeight({ field, positions, slop, similarity, weight }, slice)
  }
}
