import { z } from 'zod'
import { PipelineDefinition } from '../contract/pipeline.ts'
import type { StageKind } from './stage-kind.ts'

type Schema = Record<string, unknown>

/** The JSON schema of a pipeline for completion and hovers; each stage's `inputs` follow its `use`. */
export function pipelineJsonSchema(kinds: readonly StageKind[]): Schema {
  const schema = toSchema(PipelineDefinition)
  const stage = itemsOf(schema, 'stages')
  const properties = schemaOf(stage['properties'])
  properties['use'] = {
    description: schemaOf(properties['use'])['description'],
    oneOf: kinds.map(({ use, summary }) => ({ const: use, description: summary })),
  }
  stage['allOf'] = kinds.map(({ use, inputs }) => ({
    if: { properties: { use: { const: use } }, required: ['use'] },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON schema names the keyword
    then: { properties: { inputs: withTemplates(toSchema(inputs)) } },
  }))
  return schema
}

const toSchema = (type: z.ZodType): Schema =>
  // What a schema cannot say (a transform's result) is left open.
  ({ ...z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) })

/** Every typed input may also be a text such as `{{envs.size}}`. */
function withTemplates(schema: Schema): Schema {
  const properties = Object.entries(schemaOf(schema['properties'])).map(([name, property]) => {
    const { description, ...type } = schemaOf(property)
    if (type['type'] === 'string' && !type['enum']) return [name, property] as const
    const template = { type: 'string', pattern: String.raw`\{\{.+\}\}` }
    return [
      name,
      { ...(description !== undefined && { description }), anyOf: [type, template] },
    ] as const
  })
  const { $schema: _dialect, additionalProperties: _closed, ...rest } = schema
  return { ...rest, properties: Object.fromEntries(properties) }
}

const itemsOf = (schema: Schema, key: string) =>
  schemaOf(schemaOf(schemaOf(schema['properties'])[key])['items'])

/** A schema inside a schema; anything else is an empty one. */
const schemaOf = (value: unknown): Schema =>
  // JSON schemas are maps of text keys by their standard.
  typeof value === 'object' && value !== null ? (value as Schema) : {}
