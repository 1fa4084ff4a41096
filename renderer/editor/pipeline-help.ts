import type { StageDoc } from '../../gateway/contract/stage.ts'
import { allowedValues, schemasAt, toSchema, typeName, type Schema } from './schema-at.ts'
import { siblingValue, yamlPosition } from './yaml-position.ts'

/** What the gateway tells of pipelines: their schema and the pre-built stages. */
export interface PipelineKnowledge {
  schema: Schema
  stages: readonly StageDoc[]
}

/** One entry of the completion list. `insertText` is a snippet. */
export interface Suggestion {
  label: string
  kind: 'key' | 'value' | 'stage' | 'reference'
  insertText: string
  detail?: string
  documentation?: string
  /** The list opens again for the value. */
  goesOn?: boolean
}

/** What can stand at a position of a pipeline's text, valid or not. */
export function pipelineSuggestions(
  text: string,
  line: number,
  column: number,
  knowledge: PipelineKnowledge,
): Suggestion[] {
  const position = yamlPosition(text, line, column)
  const { path, key, siblings } = position
  if (key === 'use' && isStage(path)) return knowledge.stages.map(toStage)
  if (key === 'needs' || path.at(-2) === 'needs' || path.at(-1) === 'needs')
    return stageIds(text).map((id) => ({ label: id, kind: 'reference', insertText: id }))
  const schemas = schemasFor(text, line, path, knowledge)
  if (key !== undefined) {
    const values = schemas.flatMap((schema) => schema.properties?.[key] ?? [])
    return [...new Set(values.flatMap(valuesOf))].map((value) => ({
      label: value,
      kind: 'value',
      insertText: value,
    }))
  }
  const properties = new Map(schemas.flatMap(({ properties = {} }) => Object.entries(properties)))
  const required = new Set(schemas.flatMap(({ required = [] }) => required))
  return [...properties]
    .filter(([name]) => !siblings.includes(name))
    .map(([name, schema]) => toKey(name, schema, required.has(name)))
}

/** Markdown that explains the word at a position; undefined when nothing is known of it. */
export function pipelineHover(
  text: string,
  line: number,
  column: number,
  knowledge: PipelineKnowledge,
): string | undefined {
  const { path, key, word } = yamlPosition(text, line, column)
  if (word === '') return undefined
  const stage = knowledge.stages.find(({ use }) => use === word)
  if (stage && key === 'use' && isStage(path)) return describeStage(stage)
  if (key !== undefined) return undefined
  const schemas = schemasFor(text, line, path, knowledge)
  const schema = schemas.flatMap(({ properties }) => properties?.[word] ?? [])[0]
  return schema && `**${word}** \`${typeName(schema)}\`\n\n${schema.description ?? ''}`
}

const isStage = (path: readonly (string | number)[]) =>
  path.length === 2 && path[0] === 'stages' && typeof path[1] === 'number'

/** Below `stages[n].inputs` the stage's own schema counts, elsewhere the pipeline's. */
function schemasFor(
  text: string,
  line: number,
  path: readonly (string | number)[],
  { schema, stages }: PipelineKnowledge,
) {
  if (path[0] !== 'stages' || path[2] !== 'inputs') return schemasAt(schema, path)
  const use = useAbove(text, line)
  const stage = stages.find((one) => one.use === use)
  return stage ? schemasAt(toSchema(stage.inputs), path.slice(3)) : []
}

/** The `use` of the stage around a line inside its `inputs`. */
function useAbove(text: string, line: number) {
  const lines = text.split('\n')
  for (let number = line; number > 0; number--) {
    const indent = /^(\s*(?:-\s+)?)inputs\s*:/.exec(lines[number - 1] ?? '')?.[1]?.length
    if (indent !== undefined) return siblingValue(text, number, indent, 'use')
  }
  return undefined
}

const stageIds = (text: string) =>
  [...text.matchAll(/^\s*(?:-\s+)?id:\s*["']?([\w-]+)/gm)]
    .map((match) => match[1] ?? '')
    .slice(/^id:/m.test(text) ? 1 : 0)

const valuesOf = (schema: Schema): string[] => [
  ...allowedValues(schema),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(valuesOf),
]

function toKey(name: string, schema: Schema, isRequired: boolean): Suggestion {
  const type = typeName(schema)
  const insertText =
    type === 'object' ? `${name}:\n  $0` : type === 'list' ? `${name}:\n  - $0` : `${name}: $0`
  return {
    label: name,
    kind: 'key',
    insertText,
    detail: isRequired ? `${type}, required` : type,
    goesOn: valuesOf(schema).length > 0 || type === 'object' || name === 'use',
    ...(schema.description && { documentation: schema.description }),
  }
}

function toStage(stage: StageDoc): Suggestion {
  return {
    label: stage.use,
    kind: 'stage',
    insertText: stage.use,
    detail: stage.summary,
    documentation: describeStage(stage),
  }
}

function describeStage({ use, summary, description, mayBeAsync, inputs }: StageDoc) {
  const { properties = {}, required = [] } = toSchema(inputs)
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `- \`${name}\`${required.includes(name) ? ' (required)' : ''} ${schema.description ?? ''}`,
  )
  return [
    `**${use}** ${summary}`,
    description,
    lines.length > 0 ? `Inputs:\n${lines.join('\n')}` : undefined,
    mayBeAsync ? undefined : 'Cannot be async.',
  ]
    .filter(Boolean)
    .join('\n\n')
}
