import type { FieldLookup, FieldMapping } from './field.ts'
import type { FieldMapper, Mapping, ObjectMapper } from './mapper.ts'

/** The leaf fields of a mapping by path, multi-fields included. */
export function createFieldLookup(mapping: Mapping): FieldLookup {
  const fields = new Map<string, FieldMapping>()
  const addField = (mapper: FieldMapper) => {
    fields.set(mapper.mapping.path, mapper.mapping)
    for (const inner of mapper.fields.values()) addField(inner)
  }
  const addObject = (mapper: ObjectMapper) => {
    if (!mapper.enabled) return
    for (const one of mapper.properties.values())
      if (one.kind === 'object') addObject(one)
      else addField(one)
  }
  addObject(mapping.root)
  return { field: (path) => fields.get(path), all: () => fields.values() }
}
