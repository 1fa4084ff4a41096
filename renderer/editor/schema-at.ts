import { z } from 'zod'

/** The part of JSON schema that completion and hovers read. */
export interface Schema {
  description?: string
  type?: string | string[]
  enum?: (string | number | boolean | null)[]
  const?: string | number | boolean | null
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  $ref?: string
  $defs?: Record<string, Schema>
}

/** Reads a schema as it came over the wire; what is no object counts as "anything goes". */
export const toSchema = (json: unknown): Schema => {
  const parsed = z.record(z.string(), z.unknown()).safeParse(json)
  return parsed.success ? parsed.data : {}
}

/** Every schema that may describe the value at `path`, references and alternatives followed. */
export function schemasAt(root: Schema, path: readonly (string | number)[]): Schema[] {
  let found = expand(root, root)
  for (const step of path)
    found = found
      .flatMap((schema) => {
        if (typeof step === 'number') return schema.items ?? []
        const own = schema.properties?.[step]
        if (own) return own
        return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : []
      })
      .flatMap((schema) => expand(root, schema))
  return found
}

/** The values a schema allows, when it names them. */
export const allowedValues = (schema: Schema): string[] =>
  schema.enum?.map(String) ??
  (schema.const !== undefined
    ? [String(schema.const)]
    : schema.type === 'boolean'
      ? ['true', 'false']
      : [])

/** A schema's type in words: `string`, `string | number`, `list`. */
export function typeName(schema: Schema): string {
  const types = [schema.type ?? []].flat().map((type) => (type === 'array' ? 'list' : type))
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(typeName)
  return [...new Set([...types, ...options.filter(Boolean)])].join(' | ')
}

function expand(root: Schema, schema: Schema, depth = 0): Schema[] {
  if (depth > 8) return []
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  const target = name === undefined ? undefined : root.$defs?.[name]
  const others = [
    ...(target ? [target] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ]
  return [schema, ...others.flatMap((one) => expand(root, one, depth + 1))]
}
