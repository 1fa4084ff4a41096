import { EngineFailure } from '../errors.ts'
import {
  beginsWith,
  compareCodePoints,
  encodeTerm,
  lowerBound,
  termText,
} from '../segment/dictionary.ts'
import { expandFuzzy } from './fuzzy-terms.ts'
import { NONE, boolOf, boosted, type BlendedTerm, type QueryNode } from './node.ts'
import type { Slice } from './slice.ts'
import type { IndexStatistics } from './statistics.ts'

/** Clauses one query may become. */
export const MAX_CLAUSES = 1024

type Kind<Name extends QueryNode['kind']> = Extract<QueryNode, { kind: Name }>

/**
 * Replaces what depends on the terms of the index, looking at all segments together.
 * @throws {EngineFailure} too_many_clauses
 */
export async function expand(
  node: QueryNode,
  index: IndexStatistics,
  slice: Slice,
): Promise<QueryNode> {
  let clauses = 0
  return walk(node)

  async function walk(one: QueryNode): Promise<QueryNode> {
    switch (one.kind) {
      case 'boost':
      case 'constant':
        return { ...one, query: await walk(one.query) }
      case 'disMax':
        return { ...one, queries: await walkAll(one.queries) }
      case 'bool':
        return {
          ...one,
          must: await walkAll(one.must),
          should: await walkAll(one.should),
          filter: await walkAll(one.filter),
          mustNot: await walkAll(one.mustNot),
        }
      case 'fuzzy':
        return expandFuzzy(one, index, slice)
      case 'phrasePrefix':
        return expandPhrasePrefix(one, index)
      case 'blended':
        return blend(one, index)
      default:
        return one
    }
  }

  async function walkAll(nodes: readonly QueryNode[]): Promise<QueryNode[]> {
    clauses += nodes.length
    if (clauses > MAX_CLAUSES)
      throw new EngineFailure(
        400,
        'too_many_clauses',
        `too_many_nested_clauses: Query contains too many nested clauses; maxClauseCount is set to ${MAX_CLAUSES}`,
      )
    const done: QueryNode[] = []
    for (const one of nodes) done.push(await walk(one))
    return done
  }
}

function expandPhrasePrefix(node: Kind<'phrasePrefix'>, index: IndexStatistics): QueryNode {
  const { field, slop, positions, maxExpansions } = node
  const last = positions.at(-1)!
  const terms = termsWithPrefix(index, field, last.terms[0]!, maxExpansions)
  if (terms.length === 0) return NONE
  if (positions.length === 1)
    return boolOf({ should: terms.map((term) => ({ kind: 'term', field, term })) })
  return {
    kind: 'phrase',
    field,
    slop,
    positions: [...positions.slice(0, -1), { offset: last.offset, terms }],
  }
}

/** The first terms of a field, in term order over all segments, that begin so. */
function termsWithPrefix(
  index: IndexStatistics,
  field: string,
  prefix: string,
  limit: number,
): string[] {
  const bytes = encodeTerm(prefix)
  const found = new Set<string>()
  for (const { terms } of index.columns(field)) {
    const first = lowerBound(terms, bytes)
    for (let i = first; i < Math.min(terms.count, first + limit); i++) {
      if (!beginsWith(terms, i, bytes)) break
      found.add(termText(terms, i))
    }
  }
  return [...found].toSorted(compareCodePoints).slice(0, limit)
}

/**
 * A term in several fields as if they were one: each field scores with the largest number of
 * documents, raised by one for each less frequent field so that their order is kept.
 */
function blend({ terms, tieBreaker }: Kind<'blended'>, index: IndexStatistics): QueryNode {
  const frequencies = terms.map(({ field, term }) => index.docFrequency(field, term))
  const shared = sharedFrequencies(terms, frequencies, index)
  const queries = terms.map(({ field, term, boost }, i) =>
    boosted({ kind: 'term', field, term, docFrequency: shared[i]! }, boost),
  )
  return { kind: 'disMax', queries, tieBreaker }
}

function sharedFrequencies(
  terms: readonly BlendedTerm[],
  frequencies: readonly number[],
  index: IndexStatistics,
): number[] {
  const shared = [...frequencies]
  if (terms.length < 2) return shared
  const fewestTokens = Math.min(...terms.map(({ field }) => index.field(field).sumOfLengths))
  const allDocs = index.segments.reduce((sum, { docCount }) => sum + docCount, 0)
  const limit = Math.min(allDocs, fewestTokens)
  const order = terms.map((_, i) => i).toSorted((a, b) => frequencies[b]! - frequencies[a]!)
  let previous = frequencies[order[0]!]!
  let frequency = Math.min(limit, previous)
  for (const i of order) {
    const own = frequencies[i]!
    if (own === 0) break
    if (previous > own) frequency++
    shared[i] = Math.min(limit, frequency)
    previous = own
  }
  return shared
}
