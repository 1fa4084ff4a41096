import type { JsonObject } from '../json/parse.ts'
import type { FieldMapping } from './field.ts'
import type { FieldTypeDefinition, ReadingOptions } from './fields/define.ts'

/** What happens to fields a mapping does not know: taken up, kept in `_source` only, refused. */
export type Dynamic = 'true' | 'false' | 'strict'

/** A leaf of a mapping with its multi-fields. */
export interface FieldMapper {
  readonly kind: 'field'
  /** The parameters as given, without `fields` and `copy_to`; what `_mapping` shows. */
  readonly definition: JsonObject
  readonly mapping: FieldMapping
  readonly read: FieldTypeDefinition['read']
  readonly options: ReadingOptions
  readonly copyTo: readonly string[]
  readonly fields: ReadonlyMap<string, FieldMapper>
}

/** An inner node of a mapping. */
export interface ObjectMapper {
  readonly kind: 'object'
  /** Empty for the root. */
  readonly path: string
  /** Undefined: as the object above it. */
  readonly dynamic: Dynamic | undefined
  /** False: kept in `_source` only. */
  readonly enabled: boolean
  readonly properties: ReadonlyMap<string, Mapper>
}

export type Mapper = FieldMapper | ObjectMapper

/** A whole mapping; never changes, growing makes a new one. */
export interface Mapping {
  readonly root: ObjectMapper
  readonly dateDetection: boolean
  readonly numericDetection: boolean
  /** Formats text is tried with before it becomes a date field. */
  readonly dateFormats: readonly string[]
  /** Root parameters as given, without `properties` and `dynamic`. */
  readonly definition: JsonObject
}

const DYNAMIC_DATE_FORMATS = [
  'strict_date_optional_time',
  'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis',
]

/** The mapping of an index that was created without one. */
export const EMPTY_MAPPING: Mapping = {
  root: { kind: 'object', path: '', dynamic: undefined, enabled: true, properties: new Map() },
  dateDetection: true,
  numericDetection: false,
  dateFormats: DYNAMIC_DATE_FORMATS,
  definition: {},
}
