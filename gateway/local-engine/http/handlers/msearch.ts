import {
  EngineFailure,
  failures,
  requestInvalid,
  toErrorObject,
  unsupported,
} from '../../errors.ts'
import { defineEndpoint, INDEX_OPTIONS } from '../../features/define.ts'
import { createPositions, parseJson, type JsonObject } from '../../json/parse.ts'
import { isObject } from '../../mapping/parse.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import type { EngineRequest } from '../request.ts'
import { splitLines } from './bulk-body.ts'
import { SEARCH_NO_EFFECT, searchTargets } from './search.ts'

interface Item {
  readonly expression: string
  readonly ignoreUnavailable: boolean
  readonly allowNoIndices: boolean
  readonly body: Uint8Array
}

const NO_EFFECT = new Set([
  'preference',
  'routing',
  'request_cache',
  'search_type',
  'expand_wildcards',
  'ignore_throttled',
  'ccs_minimize_roundtrips',
  'allow_partial_search_results',
  'cancel_after_time_interval',
])

function readItems(request: EngineRequest): Item[] {
  if (request.body.length === 0)
    throw failures.parse('request body or source parameter is required')
  const items: Item[] = []
  let header: Uint8Array | undefined
  for (const line of splitLines(request.body)) {
    if (header === undefined) {
      // An empty header means the defaults, except at the end of the body.
      header = line
      continue
    }
    items.push({ ...readHeader(header, request), body: line })
    header = undefined
  }
  if (header !== undefined && header.length > 0 && items.length > 0)
    throw failures.illegalArgument('the last search of the body has a header but no body line')
  if (items.length === 0) throw requestInvalid('no requests added')
  return items
}

function readHeader(line: Uint8Array, request: EngineRequest): Omit<Item, 'body'> {
  const header = line.length === 0 ? {} : parseJson(line)
  if (!isObject(header)) throw failures.illegalArgument('a header of _msearch must be an object')
  for (const key of Object.keys(header)) {
    if (NO_EFFECT.has(key) || ['index', 'indices'].includes(key)) continue
    if (['ignore_unavailable', 'allow_no_indices'].includes(key)) continue
    if (key === 'search_pipeline') throw unsupported(`msearch.${key}`, `[${key}] of a search`)
    throw failures.illegalArgument(`key [${key}] is not supported in the metadata section`)
  }
  const options = request.indexOptions()
  return {
    expression: readExpression(header, request.part('index')),
    ignoreUnavailable: readFlag(header, 'ignore_unavailable') ?? options.ignoreUnavailable,
    allowNoIndices: readFlag(header, 'allow_no_indices') ?? options.allowNoIndices,
  }
}

function readExpression(header: JsonObject, otherwise: string) {
  const given = header['index'] ?? header['indices']
  if (given === undefined || given === null) return otherwise
  const names = [given].flat()
  if (names.every((name) => typeof name === 'string')) return names.join(',')
  throw failures.illegalArgument('[index] of a search must be a name or a list of names')
}

function readFlag(header: JsonObject, name: string) {
  const value = header[name]
  if (value === undefined || typeof value === 'boolean') return value
  throw failures.illegalArgument(`[${name}] must be true or false`)
}

async function runItem(item: Item, request: EngineRequest, engine: Engine) {
  try {
    const found = engine.cluster.resolve(item.expression, item)
    const body = item.body.length === 0 ? undefined : parseJson(item.body)
    const answer = await searchTargets(found, body, engine, {
      signal: request.signal,
      totalHitsAsInt: request.flag('rest_total_hits_as_int', engine.profile.totalHitsAsInt),
      positionOf: createPositions(item.body, body),
    })
    return { ...answer, status: 200 }
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    return { error: toErrorObject(error), status: error.status }
  }
}

/** `POST /_msearch`: several searches; each has its own answer or error. */
export const msearch = defineEndpoint({
  name: 'msearch',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_msearch', '/{index}/_msearch'],
  parameters: {
    ...INDEX_OPTIONS,
    ...SEARCH_NO_EFFECT,
    max_concurrent_searches: 'no-effect',
    rest_total_hits_as_int: 'boolean',
  },
  body: 'required',
  async handle(request, engine) {
    const began = performance.now()
    const responses = []
    for (const item of readItems(request)) responses.push(await runItem(item, request, engine))
    return json({ took: Math.round(performance.now() - began), responses })
  },
})
