import {
  EngineFailure,
  failures,
  parsingFailure,
  requestInvalid,
  toErrorObject,
  unsupported,
} from '../../errors.ts'
import { defineEndpoint } from '../../features/define.ts'
import { isObject } from '../../mapping/parse.ts'
import { tokenName } from '../../query/define.ts'
import { readSourceFilter, type SourceFilter } from '../../search/source-filter.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import { bodyRequired, type EngineRequest } from '../request.ts'
import { describeDocument, describeMissing, SOURCE_PARAMETERS, sourceFilterOf } from './get.ts'

interface Wanted {
  readonly index: string
  readonly id: string
  readonly filter: SourceFilter | undefined
}

function readWanted(request: EngineRequest): Wanted[] {
  const { docs, ids, ...rest } = request.object()
  for (const [key, value] of Object.entries(rest))
    throw parsingFailure(
      `unknown key [${key}] for a ${tokenName(value)}, expected [docs] or [ids]`,
      { line: 1, col: 1 },
    )
  const index = request.part('index')
  const filter = sourceFilterOf(request)
  const wanted: Wanted[] = []
  for (const one of readList(ids, 'ids')) {
    if (typeof one !== 'string' && typeof one !== 'number')
      throw failures.illegalArgument('ids array element should only contain ids')
    wanted.push({ index, id: String(one), filter })
  }
  for (const one of readList(docs, 'docs')) {
    if (!isObject(one))
      throw failures.illegalArgument('docs array element should include an object')
    wanted.push(readOne(one, index, filter))
  }
  if (wanted.length === 0) throw requestInvalid('no documents to get')
  const problems = wanted.flatMap(({ index, id }, i) => [
    ...(index === '' ? [`index is missing for doc ${i}`] : []),
    ...(id === '' ? [`id is missing for doc ${i}`] : []),
  ])
  if (problems.length > 0) throw requestInvalid(...problems)
  return wanted
}

function readList(value: unknown, name: string): readonly unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw failures.parse(`[${name}] of a multi get must be an array`)
}

function readOne(
  one: Record<string, unknown>,
  defaultIndex: string,
  filter: SourceFilter | undefined,
): Wanted {
  const { _index: index = defaultIndex, _id: id = '', _source: source, routing: _, ...rest } = one
  for (const key of Object.keys(rest)) {
    if (['stored_fields', 'version', 'version_type'].includes(key))
      throw unsupported(`mget.${key}`, `[${key}] of a multi get`)
    throw failures.parse(`unknown parameter [${key}] in a multi get`)
  }
  if (typeof index !== 'string' || (typeof id !== 'string' && typeof id !== 'number'))
    throw failures.parse('[_index] and [_id] of a multi get must be text')
  return {
    index,
    id: String(id),
    filter: source === undefined ? filter : readSourceFilter(source),
  }
}

function getOne({ index, id, filter }: Wanted, engine: Engine) {
  try {
    const target = engine.cluster.get(index)
    const stored = target.index.documents.get(id)
    return stored
      ? describeDocument(engine, target, stored, filter)
      : describeMissing(engine, target, id)
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    return { _index: index, _id: id, error: toErrorObject(error) }
  }
}

/** `POST /_mget`: documents by their ids, from one index or several. */
export const mget = defineEndpoint({
  name: 'mget',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_mget', '/{index}/_mget'],
  parameters: {
    ...SOURCE_PARAMETERS,
    preference: 'no-effect',
    realtime: 'boolean',
    refresh: 'boolean',
    routing: 'no-effect',
    stored_fields: 'none',
  },
  body: 'required',
  handle(request, engine) {
    if (request.body.length === 0) throw bodyRequired()
    return json({ docs: readWanted(request).map((one) => getOne(one, engine)) })
  },
})
