import { unsupported } from '../errors.ts'
import type { FieldLookup, FieldMapping } from '../mapping/field.ts'
import { failedToCreate } from './values.ts'

const META_FIELDS = new Set([
  '_index',
  '_type',
  '_routing',
  '_seq_no',
  '_primary_term',
  '_version',
  '_field_names',
  '_ignored',
  '_source',
  '_tier',
  '_nested_path',
])

/**
 * The mapping of a field a query names; undefined when there is none, which matches nothing.
 * @throws {EngineFailure} for metadata fields, and for fields that are kept in the source only.
 */
export function searchableField(fields: FieldLookup, path: string): FieldMapping | undefined {
  if (META_FIELDS.has(path)) throw unsupported(`query.field.${path}`, `[${path}] field in a query`)
  const mapping = fields.field(path)
  if (mapping && !mapping.index)
    throw failedToCreate(`Cannot search on field [${path}] since it is not indexed.`)
  return mapping
}

/** Whether a field name is a pattern with `*`. */
export const isPattern = (name: string) => name.includes('*')

/** Matches names against a pattern in which `*` stands for any text. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  if (!isPattern(pattern)) return (name) => name === pattern
  const parts = pattern.split('*')
  const first = parts[0]!
  const last = parts.at(-1)!
  const middle = parts.slice(1, -1).filter((part) => part !== '')
  return (name) => {
    if (name.length < first.length + last.length) return false
    if (!name.startsWith(first) || !name.endsWith(last)) return false
    let at = first.length
    const end = name.length - last.length
    for (const part of middle) {
      const found = name.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}
