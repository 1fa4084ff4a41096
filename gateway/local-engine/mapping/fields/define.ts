import type { FieldMapping, FieldType } from '../field.ts'

/** What an index keeps of one value; booleans stay booleans, dates are milliseconds. */
export type FieldValue = string | number | bigint | boolean

/** A leaf of a document: numbers that JavaScript would write otherwise come with their text. */
export interface Leaf {
  /** As `_source` has it, without quotes. */
  readonly text: string
  readonly json: string | number | bigint | boolean
}

/** A value that does not fit its field; the sentence becomes the innermost cause. */
export class ValueRefused extends Error {
  readonly type: string

  constructor(type: string, reason: string) {
    super(reason)
    this.type = type
  }
}

/** What reading a value needs of a mapping, beside what searching needs. */
export interface ReadingOptions {
  readonly coerce: boolean
  readonly ignoreMalformed: boolean
}

/** A parameter of a field type in a mapping: how it is checked, and what else may be said of it. */
export type ParameterKind =
  | 'boolean'
  | 'number'
  | 'text'
  | 'value'
  | 'object'
  | 'names'
  | { readonly only: readonly unknown[] }

/** One field type: its parameters and how it reads a value. */
export interface FieldTypeDefinition {
  readonly type: Exclude<FieldType, 'object'>
  readonly parameters: Readonly<Record<string, ParameterKind>>
  /**
   * The value as the index keeps it; undefined for one that is left out on purpose.
   * @throws {ValueRefused} when it does not fit.
   */
  readonly read: (
    leaf: Leaf,
    field: FieldMapping,
    options: ReadingOptions,
  ) => FieldValue | undefined
}

/** Declares a field type; one file a type, one line in the registry. */
export const defineFieldType = (definition: FieldTypeDefinition): FieldTypeDefinition => definition

/** Parameters every field type takes. */
export const COMMON: Readonly<Record<string, ParameterKind>> = {
  type: 'text',
  index: 'boolean',
  store: 'boolean',
  meta: 'object',
  fields: 'object',
  copy_to: 'names',
}
