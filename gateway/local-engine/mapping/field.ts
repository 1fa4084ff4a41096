/** Field types of the first form; mapping/fields/ holds one file each. */
export type FieldType =
  | 'text'
  | 'keyword'
  | 'long'
  | 'integer'
  | 'short'
  | 'byte'
  | 'double'
  | 'float'
  | 'half_float'
  | 'boolean'
  | 'date'
  | 'object'

/** One leaf field of a mapping, multi-fields included (`title.keyword`). */
export interface FieldMapping {
  /** Full dotted path. */
  readonly path: string
  readonly type: Exclude<FieldType, 'object'>
  /** False: kept in `_source` only. */
  readonly index: boolean
  readonly docValues: boolean
  /** Text only. Names of analyzers. */
  readonly analyzer: string
  readonly searchAnalyzer: string
  readonly norms: boolean
  readonly positionIncrementGap: number
  /** Keyword only. */
  readonly ignoreAbove: number
  readonly nullValue?: unknown
  /** Date only: the format with its alternatives, as mapped. */
  readonly format: string
}

/** The searchable side of a mapping. */
export interface FieldLookup {
  field(path: string): FieldMapping | undefined
  /** All leaf fields, in mapping order. */
  all(): Iterable<FieldMapping>
}
