import { boolean } from './boolean.ts'
import { date } from './date.ts'
import type { FieldTypeDefinition } from './define.ts'
import { keyword } from './keyword.ts'
import { numbers } from './numbers.ts'
import { text } from './text.ts'

/** Every leaf type a mapping may name. */
export const fieldTypes: readonly FieldTypeDefinition[] = [text, keyword, ...numbers, boolean, date]

const byName = new Map<string, FieldTypeDefinition>(fieldTypes.map((one) => [one.type, one]))

/** The definition of a type; undefined for one that is not supported. */
export const getFieldType = (type: string): FieldTypeDefinition | undefined => byName.get(type)

/** Types the dialect has and this engine refuses by name. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set([
  'alias',
  'binary',
  'completion',
  'constant_keyword',
  'date_nanos',
  'date_range',
  'dense_vector',
  'derived',
  'double_range',
  'flat_object',
  'flattened',
  'float_range',
  'geo_point',
  'geo_shape',
  'integer_range',
  'ip',
  'ip_range',
  'join',
  'knn_vector',
  'long_range',
  'match_only_text',
  'murmur3',
  'nested',
  'percolator',
  'rank_feature',
  'rank_features',
  'scaled_float',
  'search_as_you_type',
  'semantic',
  'sparse_vector',
  'star_tree',
  'token_count',
  'unsigned_long',
  'version',
  'wildcard',
  'xy_point',
  'xy_shape',
])

/** Parameters the dialect has for some type, and this engine does not. */
export const UNSUPPORTED_PARAMETERS: ReadonlySet<string> = new Set([
  'boost',
  'index_phrases',
  'index_prefixes',
  'fielddata_frequency_filter',
  'normalizer',
  'script',
  'on_script_error',
  'time_series_dimension',
  'use_similarity',
])
