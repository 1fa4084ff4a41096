import type { JsonObject } from '../json/parse.ts'
import { readDate } from './dates/parse-date.ts'
import type { Leaf } from './fields/define.ts'
import type { Mapping } from './mapper.ts'

/** The definition a value gives a field that no mapping knows. */
export function guessField({ json, text }: Leaf, mapping: Mapping): JsonObject {
  if (typeof json === 'boolean') return { type: 'boolean' }
  if (typeof json !== 'string') return { type: /^-?\d+$/.test(text) ? 'long' : 'float' }
  // Without a separator it is a year at best, and then a number in text.
  if (mapping.dateDetection && /[-:/]/.test(json)) {
    const format = mapping.dateFormats.find((format) => readDate(json, format) !== undefined)
    if (format === 'strict_date_optional_time') return { type: 'date' }
    if (format !== undefined) return { type: 'date', format }
  }
  if (mapping.numericDetection && json.trim() !== '' && Number.isFinite(Number(json)))
    return { type: /^-?\d+$/.test(json) ? 'long' : 'float' }
  return { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }
}
