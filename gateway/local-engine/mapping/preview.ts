import { isRaw } from '../json/values.ts'

/** A JSON value as error sentences show it: text bare, objects as `{a=1}`. */
export function preview(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(preview).join(', ')}]`
  if (isRaw(value)) return value.rawJson.toString()
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${key}=${preview(one)}`)
      .join(', ')}}`
  return String(value)
}
