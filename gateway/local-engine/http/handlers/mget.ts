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
import { malformed, tokenName } from '../../query/define.ts'
import { plainText } from '../../query/parameters.ts'
import { readSourceFilter, type SourceFilter } from '../../search/source-filter.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import type { EngineRequest } from '../request.ts'
import { describeDocument, describeMissing, SOURCE_PARAMETERS, sourceFilterOf } from './get.ts'

interface Wanted {
  readonly index: string
  readonly id: string
  readonly filter: SourceFilter | undefined
}

function readWanted(request: EngineRequest): Wanted[] {
  const given = request.json()
  const body = given?.value
  if (!isObject(body))
    throw parsingFailure(`unexpected token [${tokenName(body)}], expected [START_OBJECT]`, {
      line: 1,
      col: 1,
    })
  const { docs: _docs, ids: _ids, ...rest } = body
  const listOf = (name: 'docs' | 'ids') => {
    const value = body[name]
    if (value === undefined) return []
    if (Array.isArray(value)) return value as readonly unknown[]
    throw malformed(
      `unexpected token [${tokenName(value)}], expected [FIELD_NAME] or [START_ARRAY]`,
      body,
      { positionOf: given?.positionOf },
      { value: name },
    )
  }
  for (const [key, value] of Object.entries(rest))
    throw malformed(
      `unknown key [${key}] for a ${tokenName(value)}, expected [docs] or [ids]`,
      body,
      { positionOf: given?.positionOf },
      { value: key },
    )
  const index = request.part('index')
  const filter = sourceFilterOf(request)
  const wanted: Wanted[] = []
  for (const one of listOf('ids')) {
    if (typeof one !== 'string' && typeof one !== 'number')
      throw failures.illegalArgument('ids array element should only contain ids')
    wanted.push({ index, id: String(one), filter })
  }
  for (const one of listOf('docs')) {
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

function readOne(
  one: Record<string, unknown>,
  defaultIndex: string,
  filter: SourceFilter | undefined,
): Wanted {
  const { _index: index, _id: id, _source: source, routing: _, ...rest } = one
  for (const key of Object.keys(rest)) {
    if (['stored_fields', 'version', 'version_type'].includes(key))
      throw unsupported(`mget.${key}`, `[${key}] of a multi get`)
    throw failures.parse(`failed to parse multi get request. unknown field [${key}]`)
  }
  if (typeof (index ?? '') === 'object' || typeof (id ?? '') === 'object')
    throw failures.parse('[_index] and [_id] of a multi get must be text')
  return {
    index: plainText(index ?? defaultIndex),
    id: plainText(id ?? ''),
    filter: source === undefined ? filter : readSource(source),
  }
}

function readSource(source: unknown) {
  if (source === null || typeof source === 'number')
    throw failures.parse(`illegal type for _source: [${tokenName(source)}]`)
  return readSourceFilter({ _source: source })
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
    if (request.body.length === 0)
      throw failures.parse('request body or source parameter is required')
    return json({ docs: readWanted(request).map((one) => getOne(one, engine)) })
  },
})
