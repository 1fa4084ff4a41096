import type { JsonObject } from '../json/parse.ts'
import type { Mapper, Mapping, ObjectMapper } from './mapper.ts'

/** A mapping as `_mapping` shows it: fields by name, parameters as they were given. */
export function echoMapping(mapping: Mapping): JsonObject {
  const { root } = mapping
  return {
    ...(root.dynamic !== undefined && { dynamic: root.dynamic }),
    ...mapping.definition,
    ...(root.properties.size > 0 && { properties: echoProperties(root.properties) }),
  }
}

function echoProperties(properties: ReadonlyMap<string, Mapper>): JsonObject {
  const names = [...properties.keys()].toSorted()
  return Object.fromEntries(names.map((name) => [name, echoMapper(properties.get(name)!)]))
}

/** Every field of a mapping by its path, multi-fields included. */
export function echoFields(mapping: Mapping): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  const walk = (mapper: Mapper) => {
    const isField = mapper.kind === 'field'
    if (isField) found.set(mapper.mapping.path, echoMapper(mapper))
    for (const inner of (isField ? mapper.fields : mapper.properties).values()) walk(inner)
  }
  walk(mapping.root)
  return found
}

function echoMapper(mapper: Mapper): JsonObject {
  if (mapper.kind === 'object') return echoObject(mapper)
  const { type, ...rest } = mapper.definition
  return {
    type,
    ...(mapper.fields.size > 0 && { fields: echoProperties(mapper.fields) }),
    ...(mapper.copyTo.length > 0 && { copy_to: mapper.copyTo }),
    ...rest,
  }
}

const echoObject = ({ dynamic, enabled, properties }: ObjectMapper): JsonObject => ({
  ...(properties.size === 0 && { type: 'object' }),
  ...(dynamic !== undefined && { dynamic }),
  ...(!enabled && { enabled }),
  ...(properties.size > 0 && { properties: echoProperties(properties) }),
})
