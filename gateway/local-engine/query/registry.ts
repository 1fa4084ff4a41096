import type { QueryDefinition } from './define.ts'
import { boolQuery } from './queries/bool.ts'
import { constantScoreQuery } from './queries/constant-score.ts'
import { disMaxQuery } from './queries/dis-max.ts'
import { existsQuery } from './queries/exists.ts'
import { fuzzyQuery } from './queries/fuzzy.ts'
import { idsQuery } from './queries/ids.ts'
import { matchAllQuery } from './queries/match-all.ts'
import { matchBoolPrefixQuery } from './queries/match-bool-prefix.ts'
import { matchNoneQuery } from './queries/match-none.ts'
import { matchPhrasePrefixQuery } from './queries/match-phrase-prefix.ts'
import { matchPhraseQuery } from './queries/match-phrase.ts'
import { matchQuery } from './queries/match.ts'
import { multiMatchQuery } from './queries/multi-match.ts'
import { prefixQuery } from './queries/prefix.ts'
import { rangeQuery } from './queries/range.ts'
import { regexpQuery } from './queries/regexp.ts'
import { termQuery } from './queries/term.ts'
import { termsQuery } from './queries/terms.ts'
import { wildcardQuery } from './queries/wildcard.ts'

/** Every query there is. */
export const queries: readonly QueryDefinition[] = [
  matchAllQuery,
  matchNoneQuery,
  matchQuery,
  multiMatchQuery,
  matchPhraseQuery,
  matchPhrasePrefixQuery,
  matchBoolPrefixQuery,
  termQuery,
  termsQuery,
  rangeQuery,
  existsQuery,
  idsQuery,
  prefixQuery,
  wildcardQuery,
  regexpQuery,
  fuzzyQuery,
  boolQuery,
  constantScoreQuery,
  disMaxQuery,
]

/** Queries the dialect has and this engine refuses by name. */
export const REFUSED_QUERIES: readonly string[] = [
  'agentic',
  'boosting',
  'combined_fields',
  'common',
  'distance_feature',
  'function_score',
  'geo_bounding_box',
  'geo_distance',
  'geo_polygon',
  'geo_shape',
  'has_child',
  'has_parent',
  'hybrid',
  'intervals',
  'knn',
  'more_like_this',
  'nested',
  'neural',
  'neural_sparse',
  'parent_id',
  'percolate',
  'pinned',
  'query_string',
  'rank_feature',
  'rule',
  'script',
  'script_score',
  'semantic',
  'shape',
  'simple_query_string',
  'span_containing',
  'span_first',
  'span_gap',
  'span_multi',
  'span_near',
  'span_not',
  'span_or',
  'span_term',
  'span_within',
  'sparse_vector',
  'template',
  'terms_set',
  'text_expansion',
  'type',
  'weighted_tokens',
  'wrapper',
  'xy_shape',
]
