/** JSON text to be written as it stands, for example a `_source` as it was received. */
export interface RawJson {
  readonly rawJson: string | Uint8Array
}

/** A number of float or double kind: whole ones are written with `.0`, 32-bit ones shortest. */
export interface FloatValue {
  readonly float: number
  readonly width: 32 | 64
}

/** Wraps JSON text; the caller answers for its being valid. */
export const raw = (rawJson: string | Uint8Array): RawJson => ({ rawJson })

/** A 32-bit float such as a score; `value` is rounded to that width. */
export const float32 = (value: number): FloatValue => ({ float: Math.fround(value), width: 32 })

/** A double such as the result of a metric aggregation. */
export const float64 = (value: number): FloatValue => ({ float: value, width: 64 })

/** Tells raw JSON from a plain object. */
export const isRaw = (value: unknown): value is RawJson =>
  typeof value === 'object' && value !== null && 'rawJson' in value

/** Tells a wrapped float from a plain object. */
export const isFloat = (value: unknown): value is FloatValue =>
  typeof value === 'object' && value !== null && 'float' in value && 'width' in value
