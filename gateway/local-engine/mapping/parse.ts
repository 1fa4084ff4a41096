import { getAnalyzer } from '../analysis/analyzer.ts'
import { EngineFailure, failures, toCause, unsupported } from '../errors.ts'
import type { JsonObject } from '../json/parse.ts'
import { dateFormats } from './dates/formats.ts'
import type { FieldTypeDefinition, ParameterKind } from './fields/define.ts'
import { getFieldType, UNSUPPORTED_PARAMETERS, UNSUPPORTED_TYPES } from './fields/index.ts'
import {
  EMPTY_MAPPING,
  type Dynamic,
  type FieldMapper,
  type Mapper,
  type Mapping,
  type ObjectMapper,
} from './mapper.ts'
import { preview } from './preview.ts'

const DEFAULT_DATE_FORMAT = 'strict_date_optional_time||epoch_millis'
const MAX_DEPTH = 20

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As `parseMapping`, with the words the engine puts before what is wrong with a new index. */
export function parseNewMapping(json: unknown): Mapping {
  try {
    return parseMapping(json)
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    if (error.type === 'illegal_argument_exception' && error.causedBy)
      throw failures.mapperParsing(`Failed to parse mapping [_doc]: ${error.reason}`, {
        causedBy: toCause(error),
      })
    if (error.type !== 'mapper_parsing_exception') throw error
    const cause = { type: error.type, reason: error.reason }
    throw failures.mapperParsing(`Failed to parse mapping [_doc]: ${error.reason}`, {
      rootCauses: [cause],
      causedBy: cause,
    })
  }
}

/**
 * Reads the JSON of a mapping.
 * @throws {EngineFailure} mapper_parsing_exception, or unsupported_feature_exception by name.
 */
export function parseMapping(json: unknown): Mapping {
  if (!isObject(json)) throw failures.mapperParsing('Expected map for mapping definition')
  const { properties = {}, dynamic, ...rest } = json
  for (const [key, value] of Object.entries(rest)) checkRootParameter(key, value)
  const formats = rest['dynamic_date_formats']
  return {
    root: {
      kind: 'object',
      path: '',
      dynamic: dynamic === undefined ? undefined : readDynamic(dynamic, '_doc'),
      enabled: true,
      properties: readProperties(properties, ''),
    },
    dateDetection: preview(rest['date_detection'] ?? true) === 'true',
    numericDetection: preview(rest['numeric_detection'] ?? false) === 'true',
    dateFormats: Array.isArray(formats) ? formats.map(preview) : EMPTY_MAPPING.dateFormats,
    definition: Object.fromEntries(Object.entries(rest).filter(([key]) => key !== '_source')),
  }
}

function checkRootParameter(key: string, value: unknown) {
  if (key === '_meta' || key === 'date_detection' || key === 'numeric_detection') return
  if (key === 'dynamic_date_formats') {
    for (const format of Array.isArray(value) ? value : [value]) dateFormats(preview(format))
    return
  }
  if (key === 'dynamic_templates' && Array.isArray(value) && value.length === 0) return
  if (key === '_source' && isObject(value)) {
    if (Object.entries(value).every(([name, on]) => name === 'enabled' && preview(on) === 'true'))
      return
    throw unsupported('mapping._source', '[_source] without whole sources')
  }
  if (key === 'dynamic_templates' || key === '_routing' || key === 'runtime' || key === 'derived')
    throw unsupported(`mapping.${key}`, `[${key}] in a mapping`)
  throw failures.mapperParsing(
    `Root mapping definition has unsupported parameters:  [${key} : ${preview(value)}]`,
  )
}

function readDynamic(value: unknown, path: string): Dynamic {
  const text = preview(value)
  if (text === 'true' || text === 'false' || text === 'strict') return text
  if (text === 'strict_allow_templates' || text === 'false_allow_templates' || text === 'runtime')
    throw unsupported(`mapping.dynamic.${text}`, `dynamic [${text}] of [${path}]`)
  throw failures.mapperParsing(
    `Could not convert [${path}.dynamic] to a value of true, false, strict: [${text}]`,
  )
}

function readProperties(json: unknown, parent: string): Map<string, Mapper> {
  // An empty list says as little as an empty object.
  if (Array.isArray(json) && json.length === 0) return new Map()
  if (!isObject(json))
    throw failures.mapperParsing(
      `Expected map for property [fields] on field [${parent || '_doc'}] but got a ${typeof json}`,
    )
  const properties = new Map<string, Mapper>()
  for (const [name, definition] of Object.entries(json)) {
    const dot = name.indexOf('.')
    if (dot < 0) {
      checkName(name)
      properties.set(name, readMapper(definition, parent ? `${parent}.${name}` : name))
      continue
    }
    // A dotted name is the object it stands in.
    const first = name.slice(0, dot)
    checkName(first)
    const path = parent ? `${parent}.${first}` : first
    const inner = readProperties({ [name.slice(dot + 1)]: definition }, path)
    const known = properties.get(first)
    const before = known?.kind === 'object' ? known : undefined
    properties.set(first, {
      kind: 'object',
      path,
      dynamic: before?.dynamic,
      enabled: before?.enabled ?? true,
      properties: new Map([...(before?.properties ?? []), ...inner]),
    })
  }
  return properties
}

function checkName(name: string) {
  if (name.trim() === '')
    throw failures.illegalArgument('field name cannot be an empty string: give every field a name')
}

function readMapper(json: unknown, path: string): Mapper {
  if (!isObject(json))
    throw failures.mapperParsing(
      `Expected map for property [fields] on field [${path}] but got a ${preview(json)}`,
    )
  if (path.split('.').length > MAX_DEPTH)
    throw failures.illegalArgument(
      `Limit of mapping depth [${MAX_DEPTH}] has been exceeded due to object field [${path}]`,
    )
  const type = json['type']
  if (type === 'object' || (type === undefined && ('properties' in json || 'enabled' in json)))
    return readObject(json, path)
  if (type === undefined)
    throw failures.mapperParsing(`No type specified for field [${path.split('.').at(-1)}]`)
  if (UNSUPPORTED_TYPES.has(preview(type)))
    throw unsupported(`mapping.${preview(type)}`, `[${preview(type)}] field type of [${path}]`)
  const definition = getFieldType(preview(type))
  if (!definition)
    throw failures.mapperParsing(
      `No handler for type [${preview(type)}] declared on field [${path.split('.').at(-1)}]`,
    )
  return readField(json, path, definition)
}

function readObject(json: JsonObject, path: string): ObjectMapper {
  for (const key of Object.keys(json))
    if (!['type', 'properties', 'dynamic', 'enabled'].includes(key))
      throw failures.mapperParsing(
        `unknown parameter [${key}] on mapper [${path.split('.').at(-1)}] of type [object]`,
      )
  return {
    kind: 'object',
    path,
    dynamic: json['dynamic'] === undefined ? undefined : readDynamic(json['dynamic'], path),
    enabled: preview(json['enabled'] ?? true) !== 'false',
    properties: readProperties(json['properties'] ?? {}, path),
  }
}

function checkParameter(key: string, value: unknown, kind: ParameterKind, path: string) {
  const wrong = (wanted: string) =>
    failures.mapperParsing(
      `Failed to parse value [${preview(value)}] of parameter [${key}] on field [${path}]: expected ${wanted}`,
    )
  if (typeof kind === 'object') {
    if (!kind.only.some((one) => preview(one) === preview(value)))
      throw unsupported(
        `mapping.parameter.${key}`,
        `[${key}: ${preview(value)}] of field [${path}]`,
      )
  } else if (kind === 'boolean') {
    if (preview(value) !== 'true' && preview(value) !== 'false') throw wrong('[true] or [false]')
  } else if (kind === 'number') {
    if (!Number.isInteger(Number(value)) || Number(value) < 0) throw wrong('a whole number from 0')
  } else if (kind === 'object') {
    if (!isObject(value)) throw wrong('an object')
  } else if (kind === 'text') {
    if (typeof value !== 'string') throw wrong('text')
  } else if (kind === 'names') {
    if (![value].flat().every((one) => typeof one === 'string')) throw wrong('a name or names')
  }
}

const REFUSED_ANALYZERS =
  /^(?:arabic|armenian|basque|bengali|brazilian|bulgarian|catalan|cjk|czech|danish|dutch|estonian|finnish|french|galician|german|greek|hindi|hungarian|indonesian|irish|italian|latvian|lithuanian|norwegian|persian|portuguese|romanian|russian|sorani|spanish|swedish|turkish|thai|fingerprint|pattern|snowball|default|icu_analyzer|kuromoji|nori|smartcn|ukrainian|polish)$/

function checkAnalyzer(name: string, key: string, path: string) {
  if (getAnalyzer(name)) return
  if (REFUSED_ANALYZERS.test(name))
    throw unsupported(`analyzer.${name}`, `${key} [${name}] of field [${path}]`)
  throw failures.illegalArgument(
    `analyzer [${name}] has not been configured in mappings: field [${path}] names it as its ${key}`,
  )
}

function readField(json: JsonObject, path: string, type: FieldTypeDefinition): FieldMapper {
  const { fields, copy_to: copyTo, ...definition } = json
  for (const [key, value] of Object.entries(json)) {
    // Names such as `constructor` are found on every object.
    const kind = Object.hasOwn(type.parameters, key) ? type.parameters[key] : undefined
    if (kind === undefined) {
      if (UNSUPPORTED_PARAMETERS.has(key))
        throw unsupported(`mapping.parameter.${key}`, `[${key}] of field [${path}]`)
      throw failures.mapperParsing(
        `unknown parameter [${key}] on mapper [${path.split('.').at(-1)}] of type [${type.type}]`,
      )
    }
    checkParameter(key, value, kind, path)
  }
  const text = (key: string, otherwise: string) => preview(json[key] ?? otherwise)
  const on = (key: string, otherwise: boolean) => text(key, preview(otherwise)) === 'true'
  const analyzer = text('analyzer', 'standard')
  const searchAnalyzer = text('search_analyzer', analyzer)
  if (type.type === 'text') {
    checkAnalyzer(analyzer, 'analyzer', path)
    checkAnalyzer(searchAnalyzer, 'search_analyzer', path)
  }
  const format = text('format', DEFAULT_DATE_FORMAT)
  if (type.type === 'date') checkFormat(format, path)
  const names = copyTo === undefined ? [] : [copyTo].flat().map(preview)
  return {
    kind: 'field',
    definition,
    mapping: {
      path,
      type: type.type,
      index: on('index', true),
      docValues: on('doc_values', type.type !== 'text'),
      analyzer,
      searchAnalyzer,
      norms: on('norms', type.type === 'text'),
      positionIncrementGap: Number(json['position_increment_gap'] ?? 100),
      ignoreAbove: Number(json['ignore_above'] ?? 2_147_483_647),
      ...(json['null_value'] !== undefined && { nullValue: json['null_value'] }),
      format,
    },
    read: type.read,
    options: {
      coerce: on('coerce', true),
      ignoreMalformed: on('ignore_malformed', false),
    },
    copyTo: names,
    fields: readMultiFields(fields, path),
  }
}

function readMultiFields(json: unknown, path: string) {
  const fields = new Map<string, FieldMapper>()
  if (json === undefined) return fields
  for (const [name, definition] of Object.entries(json as JsonObject)) {
    const mapper = readMapper(definition, `${path}.${name}`)
    if (mapper.kind === 'object')
      throw failures.mapperParsing(`Type [object] cannot be used in multi field [${path}.${name}]`)
    fields.set(name, mapper)
  }
  return fields
}

function checkFormat(format: string, path: string) {
  try {
    dateFormats(format)
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.type !== 'illegal_argument_exception')
      throw error
    throw failures.illegalArgument(
      `Error parsing [format] on field [${path.split('.').at(-1)}]: ${error.reason}`,
      { causedBy: toCause(error) },
    )
  }
}
