import { EngineFailure, failures } from '../errors.ts'
import type { JsonObject } from '../json/parse.ts'
import { isRaw } from '../json/values.ts'
import { guessField } from './dynamic.ts'
import type { FieldMapping } from './field.ts'
import { ValueRefused, type FieldValue, type Leaf } from './fields/define.ts'
import type { Dynamic, FieldMapper, Mapper, Mapping, ObjectMapper } from './mapper.ts'
import { mergeMapping } from './merge.ts'
import { isObject, parseMapping } from './parse.ts'
import { preview } from './preview.ts'

/** A document taken apart, and the mapping it was taken apart by. */
export interface ReadDocument {
  readonly mapping: Mapping
  readonly fields: readonly [FieldMapping, readonly FieldValue[]][]
}

const METADATA = new Set([
  '_id',
  '_index',
  '_source',
  '_routing',
  '_ignored',
  '_version',
  '_seq_no',
  '_primary_term',
  '_field_names',
  '_nested_path',
  '_doc_count',
  '_data_stream_timestamp',
])

/**
 * Takes a document apart by a mapping; unknown fields extend it as `dynamic` says.
 * @param source parsed with `keepNumberText`.
 * @throws {EngineFailure} for a value that does not fit, with the field and the id.
 */
export function readDocument(mapping: Mapping, source: unknown, id: string): ReadDocument {
  if (!isObject(source))
    throw failures.mapperParsing('failed to parse', {
      causedBy: {
        type: 'not_x_content_exception',
        reason: `a document is a JSON object, but this one is ${preview(source).slice(0, 50)}`,
      },
    })
  const first = readOnce(mapping, source, id)
  if (Object.keys(first.additions).length === 0) return { mapping, fields: first.fields }
  const grown = mergeMapping(mapping, parseMapping({ properties: first.additions }))
  return { mapping: grown, fields: readOnce(grown, source, id).fields }
}

function readOnce(mapping: Mapping, source: JsonObject, id: string) {
  const values = new Map<FieldMapping, FieldValue[]>()
  // Without a prototype: a field may be called `constructor`.
  const additions = Object.create(null) as JsonObject

  function readObject(mapper: ObjectMapper | undefined, json: JsonObject, place: Place) {
    for (const [key, value] of Object.entries(json)) {
      if (place.path === '' && METADATA.has(key)) throw metadataField(key, value, id)
      if (key.includes('.')) readDotted(mapper, key, value, place)
      else readMember(mapper, key, value, place)
    }
  }

  function readDotted(mapper: ObjectMapper | undefined, key: string, value: unknown, place: Place) {
    const [first = '', ...rest] = key.split('.')
    if (first === '' || rest.includes(''))
      throw notParsed(
        `object field starting or ending with a [.] makes object resolution ambiguous: [${key}]`,
      )
    readMember(mapper, first, { [rest.join('.')]: value }, place)
  }

  function readMember(mapper: ObjectMapper | undefined, key: string, value: unknown, place: Place) {
    if (key.trim() === '') throw notParsed('field name cannot be an empty string')
    const path = place.path === '' ? key : `${place.path}.${key}`
    const known = mapper?.properties.get(key)
    if (known) readKnown(known, value, path, place)
    else if (place.dynamic !== 'false') readUnknown(key, value, path, place)
  }

  function readKnown(mapper: Mapper, value: unknown, path: string, place: Place) {
    if (mapper.kind === 'field') return readField(mapper, value)
    if (!mapper.enabled || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) readKnown(mapper, one, path, place)
    } else if (isObject(value) && !isRaw(value)) {
      readObject(mapper, value, { path, dynamic: mapper.dynamic ?? place.dynamic })
    } else {
      throw failures.mapperParsing(
        `object mapping for [${path}] tried to parse field [${path.split('.').at(-1)}] as object, but found a concrete value`,
      )
    }
  }

  function readUnknown(key: string, value: unknown, path: string, place: Place) {
    if (Array.isArray(value)) {
      for (const one of value) readUnknown(key, one, path, place)
      return
    }
    if (value === null) return
    if (place.dynamic === 'strict')
      throw failures.strictDynamicMapping(
        `mapping set to strict, dynamic introduction of [${key}] within [${place.path || '_doc'}] is not allowed`,
      )
    if (isObject(value) && !isRaw(value)) {
      addDefinition(path, { type: 'object' })
      readObject(undefined, value, { path, dynamic: place.dynamic })
    } else addDefinition(path, guessField(toLeaf(value), mapping))
  }

  function addDefinition(path: string, definition: JsonObject) {
    const names = path.split('.')
    let properties = additions
    for (const name of names.slice(0, -1)) {
      // Safe: only definitions that were made here stand in it.
      const parent = (properties[name] ??= { type: 'object' }) as JsonObject
      properties = (parent['properties'] ??= Object.create(null)) as JsonObject
    }
    const last = names.at(-1) ?? ''
    const before = properties[last] as JsonObject | undefined
    if (before && before['type'] !== definition['type'])
      throw failures.illegalArgument(
        `mapper [${path}] cannot be changed from type [${preview(definition['type'])}] to [${preview(before['type'])}]`,
      )
    if (!before) properties[last] = definition
  }

  function readField(mapper: FieldMapper, value: unknown) {
    if (Array.isArray(value)) {
      for (const one of value) readField(mapper, one)
      return
    }
    if (value === null) {
      const { nullValue } = mapper.mapping
      if (nullValue !== undefined) addValue(mapper, nullValue)
      for (const inner of mapper.fields.values()) readField(inner, null)
      return
    }
    addValue(mapper, value)
    for (const inner of mapper.fields.values()) readField(inner, value)
    for (const target of mapper.copyTo) copyTo(target, value)
  }

  function addValue(mapper: FieldMapper, value: unknown) {
    const { mapping } = mapper
    try {
      if (isObject(value) && !isRaw(value))
        throw new ValueRefused(
          'illegal_state_exception',
          `a field of type [${mapping.type}] cannot hold an object`,
        )
      const read = mapper.read(toLeaf(value), mapping, mapper.options)
      if (read === undefined || !(mapping.index || mapping.docValues)) return
      const before = values.get(mapping)
      if (before) before.push(read)
      else values.set(mapping, [read])
    } catch (error) {
      if (!(error instanceof ValueRefused)) throw error
      if (mapper.options.ignoreMalformed && !(isObject(value) && !isRaw(value))) return
      throw failures.mapperParsing(
        `failed to parse field [${mapping.path}] of type [${mapping.type}] in document with id '${id}'. Preview of field's value: '${preview(value).slice(0, 200)}'`,
        { causedBy: { type: error.type, reason: error.message } },
      )
    }
  }

  function copyTo(path: string, value: unknown) {
    let mapper: Mapper = mapping.root
    for (const name of path.split('.')) {
      const next: Mapper | undefined =
        mapper.kind === 'object' ? mapper.properties.get(name) : undefined
      if (!next) return addDefinition(path, guessField(toLeaf(value), mapping))
      mapper = next
    }
    if (mapper.kind === 'field') addValue(mapper, value)
  }

  readObject(mapping.root, source, { path: '', dynamic: mapping.root.dynamic ?? 'true' })
  return { fields: [...values], additions }
}

interface Place {
  readonly path: string
  readonly dynamic: Dynamic
}

function toLeaf(value: unknown): Leaf {
  if (isRaw(value)) {
    const text = value.rawJson.toString()
    return { text, json: Number(text) }
  }
  // Safe: objects and arrays were told apart before.
  const json = value as string | number | bigint | boolean
  return { text: String(json), json }
}

const notParsed = (reason: string): EngineFailure =>
  failures.mapperParsing('failed to parse', {
    causedBy: { type: 'illegal_argument_exception', reason },
  })

function metadataField(key: string, value: unknown, id: string) {
  const cause = {
    type: 'mapper_parsing_exception',
    reason: `Field [${key}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
  }
  return failures.mapperParsing(
    `failed to parse field [${key}] of type [${key}] in document with id '${id}'. Preview of field's value: '${preview(value).slice(0, 200)}'`,
    { rootCauses: [cause], causedBy: cause },
  )
}
