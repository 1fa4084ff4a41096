/** An object of a JSON text, keys in the order they came. */
export type JsonObject = Record<string, unknown>

/** Whether a parsed value is an object: no list, no null, no exact number. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
