import { failures } from '../errors.ts'
import type { FieldMapping } from './field.ts'
import { preview } from './preview.ts'
import type { FieldMapper, Mapper, Mapping, ObjectMapper } from './mapper.ts'

const MAX_FIELDS = 1000

/**
 * A mapping with the fields of another added; neither argument changes.
 * @throws {EngineFailure} illegal_argument_exception where a field would become another.
 */
export function mergeMapping(base: Mapping, update: Mapping): Mapping {
  const root = mergeObjects(base.root, update.root)
  if (countFields(root) > MAX_FIELDS)
    throw failures.illegalArgument(`Limit of total fields [${MAX_FIELDS}] has been exceeded`)
  const given = update.definition
  return {
    root,
    dateDetection: 'date_detection' in given ? update.dateDetection : base.dateDetection,
    numericDetection:
      'numeric_detection' in given ? update.numericDetection : base.numericDetection,
    dateFormats: 'dynamic_date_formats' in given ? update.dateFormats : base.dateFormats,
    definition: { ...base.definition, ...given },
  }
}

function countFields(mapper: ObjectMapper): number {
  let count = 0
  for (const one of mapper.properties.values())
    count += 1 + (one.kind === 'object' ? countFields(one) : one.fields.size)
  return count
}

function mergeObjects(base: ObjectMapper, update: ObjectMapper): ObjectMapper {
  const properties = new Map(base.properties)
  for (const [name, mapper] of update.properties) {
    const before = properties.get(name)
    properties.set(name, before ? mergeMappers(before, mapper) : mapper)
  }
  return {
    kind: 'object',
    path: base.path,
    dynamic: update.dynamic ?? base.dynamic,
    enabled: base.enabled,
    properties,
  }
}

function mergeMappers(base: Mapper, update: Mapper): Mapper {
  if (base.kind === 'object' && update.kind === 'object') return mergeObjects(base, update)
  if (base.kind === 'field' && update.kind === 'field') return mergeFields(base, update)
  const path = base.kind === 'object' ? base.path : base.mapping.path
  throw failures.illegalArgument(
    `can't merge a non object mapping [${path}] with an object mapping`,
  )
}

/** Parameters that decide what is in the index already. */
const FIXED: readonly (readonly [keyof FieldMapping, string])[] = [
  ['index', 'index'],
  ['docValues', 'doc_values'],
  ['analyzer', 'analyzer'],
  ['positionIncrementGap', 'position_increment_gap'],
  ['format', 'format'],
]

function mergeFields(base: FieldMapper, update: FieldMapper): FieldMapper {
  const { path, type } = base.mapping
  if (type !== update.mapping.type)
    throw failures.illegalArgument(
      `mapper [${path}] cannot be changed from type [${type}] to [${update.mapping.type}]`,
    )
  const conflicts = FIXED.filter(([key]) => base.mapping[key] !== update.mapping[key]).map(
    ([key, name]) => cannotUpdate(name, shown(base, key, name), shown(update, key, name)),
  )
  if (update.mapping.norms && !base.mapping.norms)
    conflicts.push(cannotUpdate('norms', false, true))
  if (conflicts.length > 0)
    throw failures.illegalArgument(
      `Mapper for [${path}] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`,
    )
  const fields = new Map(base.fields)
  for (const [name, mapper] of update.fields) {
    const before = fields.get(name)
    fields.set(name, before ? mergeFields(before, mapper) : mapper)
  }
  return { ...update, fields }
}

/** An analyzer nobody named is called `default` in errors. */
const shown = ({ definition, mapping }: FieldMapper, key: keyof FieldMapping, name: string) =>
  key === 'analyzer' ? (definition[name] ?? 'default') : mapping[key]

const cannotUpdate = (name: string, from: unknown, to: unknown) =>
  `Cannot update parameter [${name}] from [${preview(from)}] to [${preview(to)}]`
