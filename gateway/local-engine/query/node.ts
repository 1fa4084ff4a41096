/** Bounds of a range; an absent bound is open. */
export interface Bounds<Value> {
  readonly low?: Value | undefined
  readonly high?: Value | undefined
  readonly includeLow: boolean
  readonly includeHigh: boolean
}

/** Parameters of a fuzzy search for one word. */
export interface Fuzziness {
  readonly edits: number
  /** Code points that have to be equal. */
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
}

/** One place of a phrase: the terms that may stand there. */
export interface PhrasePosition {
  readonly offset: number
  readonly terms: readonly string[]
}

/** One term among fields that are searched as if they were one. */
export interface BlendedTerm {
  readonly field: string
  readonly term: string
  readonly boost: number
}

/** A boolean combination; `minimum` is how many of `should` have to match, 0 when not asked for. */
export interface BoolNode {
  readonly kind: 'bool'
  readonly must: readonly QueryNode[]
  readonly should: readonly QueryNode[]
  readonly filter: readonly QueryNode[]
  readonly mustNot: readonly QueryNode[]
  readonly minimum: number
}

/** A query taken apart: field names resolved, text analysed, values in the form of their field. */
export type QueryNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  /** `docFrequency` stands in for the term's own, where statistics are shared between terms. */
  | {
      readonly kind: 'term'
      readonly field: string
      readonly term: string
      readonly docFrequency?: number
    }
  | { readonly kind: 'termSet'; readonly field: string; readonly terms: readonly string[] }
  | ({ readonly kind: 'termRange'; readonly field: string } & Bounds<string>)
  | { readonly kind: 'prefix'; readonly field: string; readonly prefix: string }
  | { readonly kind: 'wildcard' | 'regexp'; readonly field: string; readonly pattern: string }
  | ({ readonly kind: 'numericRange'; readonly field: string } & Bounds<number | bigint>)
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'phrase'
      readonly field: string
      readonly positions: readonly PhrasePosition[]
      readonly slop: number
    }
  | BoolNode
  | {
      readonly kind: 'disMax'
      readonly queries: readonly QueryNode[]
      readonly tieBreaker: number
    }
  | { readonly kind: 'constant'; readonly query: QueryNode }
  | { readonly kind: 'boost'; readonly query: QueryNode; readonly boost: number }
  // The three below depend on the terms of the index; `expand` resolves them.
  | {
      readonly kind: 'fuzzy'
      readonly field: string
      readonly term: string
      readonly fuzziness: Fuzziness
    }
  | {
      readonly kind: 'phrasePrefix'
      readonly field: string
      readonly positions: readonly PhrasePosition[]
      readonly slop: number
      readonly maxExpansions: number
    }
  | {
      readonly kind: 'blended'
      readonly terms: readonly BlendedTerm[]
      readonly tieBreaker: number
    }

/** Matches nothing. */
export const NONE: QueryNode = { kind: 'none' }

/** Matches everything, with score 1. */
export const ALL: QueryNode = { kind: 'all' }

/** A bool with the parts that matter to the caller. */
export const boolOf = (parts: Partial<Omit<BoolNode, 'kind'>>): BoolNode => ({
  kind: 'bool',
  must: [],
  should: [],
  filter: [],
  mustNot: [],
  minimum: 0,
  ...parts,
})

/** The query with its scores multiplied. */
export const boosted = (query: QueryNode, boost: number): QueryNode =>
  boost === 1 ? query : { kind: 'boost', query, boost: Math.fround(boost) }

/** The query with its boost as every score. */
export const constant = (query: QueryNode): QueryNode => ({ kind: 'constant', query })
