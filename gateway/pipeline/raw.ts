/** A map whose contents are not known yet. */
export type Raw = Record<string, unknown>

/** Whether a value is a map: neither a list nor a number with all its digits. */
export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

/** A value as a list; anything but a list is an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A value as text; anything else is nothing. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** A key written without a value counts as left out. */
export const withoutEmpty = (raw: Raw): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
