import type { ClusterIndex } from '../../cluster/cluster.ts'
import { EngineFailure, failures, requestInvalid, versionConflict } from '../../errors.ts'
import { defineEndpoint, type Parameters } from '../../features/define.ts'
import { raw } from '../../json/values.ts'
import { createSourceFilter, type SourceFilter } from '../../search/source-filter.ts'
import type { StoredRow } from '../../store/documents.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import type { EngineRequest } from '../request.ts'

/** Parameters that choose what of a source is shown. */
export const SOURCE_PARAMETERS: Parameters = {
  _source: 'text',
  _source_includes: 'text',
  _source_include: 'text',
  _source_excludes: 'text',
  _source_exclude: 'text',
}

const GET_PARAMETERS: Parameters = {
  ...SOURCE_PARAMETERS,
  preference: 'no-effect',
  realtime: 'boolean',
  refresh: 'boolean',
  routing: 'no-effect',
  version: 'int',
  version_type: 'text',
  stored_fields: 'none',
}

const list = (text: string | undefined) => (text === undefined ? [] : text.split(','))

/** The source filter in a request's parameters; undefined when there is none. */
export function sourceFilterOf(request: EngineRequest): SourceFilter | undefined {
  const includes = request.text('_source_includes') ?? request.text('_source_include')
  const excludes = request.text('_source_excludes') ?? request.text('_source_exclude')
  const source = request.text('_source')
  if (source === undefined && includes === undefined && excludes === undefined) return undefined
  if (source === 'false') return { enabled: false, includes: [], excludes: [] }
  const named = source === undefined || source === 'true' || source === '' ? [] : list(source)
  return { enabled: true, includes: [...named, ...list(includes)], excludes: list(excludes) }
}

/** The source as a filter lets it through, as raw JSON. */
export function filterSource(source: Uint8Array, filter: SourceFilter | undefined) {
  const reduce = filter && createSourceFilter(filter)
  return raw(reduce ? reduce(source) : source)
}

/** A document as `GET` and `_mget` show it. */
export function describeDocument(
  { profile }: Engine,
  { registered }: ClusterIndex,
  stored: StoredRow,
  filter: SourceFilter | undefined,
) {
  return {
    _index: registered.name,
    ...(profile.emitType && { _type: '_doc' }),
    _id: stored.id,
    _version: stored.version,
    _seq_no: stored.seqNo,
    _primary_term: stored.primaryTerm,
    ...(stored.routing !== null && { _routing: stored.routing }),
    found: true,
    ...(filter?.enabled !== false && { _source: filterSource(stored.source, filter) }),
  }
}

/** What stands for a document that is not there. */
export const describeMissing = ({ profile }: Engine, { registered }: ClusterIndex, id: string) => ({
  _index: registered.name,
  ...(profile.emitType && { _type: '_doc' }),
  _id: id,
  found: false,
})

const VERSION_TYPES = new Set(['internal', 'external', 'external_gte'])

function find(request: EngineRequest, { cluster }: Engine) {
  request.flag('realtime')
  const versionType = request.text('version_type')
  if (versionType !== undefined && !VERSION_TYPES.has(versionType))
    throw failures.illegalArgument(`No version type match [${versionType}]`)
  const target = cluster.get(request.part('index'))
  if (request.flag('refresh')) target.index.refresh()
  const id = request.part('id')
  const stored = target.index.documents.get(id)
  const version = request.int('version')
  if (stored && version !== undefined && version !== stored.version)
    throw versionConflict(
      target.index.identity,
      id,
      `current version [${stored.version}] is different than the one provided [${version}]`,
    )
  return { target, id, stored }
}

/** `GET /{index}/_doc/{id}`: always the last acknowledged write. */
export const getDocument = defineEndpoint({
  name: 'get',
  support: 'partial',
  methods: ['GET'],
  paths: ['/{index}/_doc/{id}'],
  parameters: GET_PARAMETERS,
  body: 'none',
  handle(request, engine) {
    const filter = sourceFilterOf(request)
    const { target, id, stored } = find(request, engine)
    return stored
      ? json(describeDocument(engine, target, stored, filter))
      : json(describeMissing(engine, target, id), 404)
  },
})

/** `GET /{index}/_source/{id}`: the document alone. */
export const getSource = defineEndpoint({
  name: 'get_source',
  support: 'partial',
  methods: ['GET'],
  paths: ['/{index}/_source/{id}'],
  parameters: GET_PARAMETERS,
  body: 'none',
  handle(request, engine) {
    const filter = sourceFilterOf(request)
    if (filter?.enabled === false) throw requestInvalid('fetching source can not be disabled')
    const { target, id, stored } = find(request, engine)
    if (!stored)
      throw new EngineFailure(
        404,
        'resource_not_found_exception',
        `Document not found [${target.registered.name}]/[${id}]`,
      )
    return json(filterSource(stored.source, filter))
  },
})
