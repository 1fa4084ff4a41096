import {
  EngineFailure,
  failures,
  parsingFailure,
  requestInvalid,
  toCause,
  toErrorObject,
  unsupported,
} from '../../errors.ts'
import { defineEndpoint, INDEX_OPTIONS } from '../../features/define.ts'
import { createPositions, parseJson, type JsonObject } from '../../json/parse.ts'
import { isObject } from '../../mapping/parse.ts'
import { plainText } from '../../query/parameters.ts'
import { booleanOf } from '../../query/tokens.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import type { EngineRequest } from '../request.ts'
import type { SearchParams } from '../../search/target.ts'
import { LINE_FEED, splitLines } from './bulk-body.ts'
import { failureOfBody, SEARCH_OPTIONS, searchTargets } from './search.ts'

interface Item {
  readonly expression: string
  readonly ignoreUnavailable: boolean
  readonly allowNoIndices: boolean
  readonly body: unknown
  readonly params: SearchParams
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

/** Reads all searches before the first one runs: one that cannot be read spoils the request. */
async function readItems(request: EngineRequest, engine: Engine): Promise<Item[]> {
  if (request.body.length === 0)
    throw failures.parse('request body or source parameter is required')
  const items: Item[] = []
  let header: Omit<Item, 'body' | 'params'> | undefined
  for (const line of linesOf(request.body)) {
    if (!header) {
      header = readHeader(line, request)
      continue
    }
    if (line.length === 0)
      throw parsingFailure('Expected [START_OBJECT] but found [null]', { line: 1, col: 0 })
    const body = parseJson(line)
    const params = {
      signal: request.signal,
      totalHitsAsInt: request.flag('rest_total_hits_as_int', engine.profile.totalHitsAsInt),
      typedKeys: request.flag('typed_keys'),
      positionOf: createPositions(line, body),
    }
    const failure = await failureOfBody(body, { ...params, profile: engine.profile })
    if (failure) throw failure
    items.push({ ...header, body, params })
    header = undefined
  }
  if (items.length === 0) throw requestInvalid('no requests added')
  return items
}

/** Lines that end with a line feed; an empty first line is none. */
function* linesOf(body: Uint8Array): Iterable<Uint8Array> {
  const start = body[0] === LINE_FEED ? 1 : 0
  const end = body.lastIndexOf(LINE_FEED) + 1
  yield* splitLines(body.subarray(start, end))
  if (end < body.length)
    throw failures.illegalArgument('The msearch request must be terminated by a newline [\n]')
}

function readHeader(line: Uint8Array, request: EngineRequest): Omit<Item, 'body' | 'params'> {
  const given = line.length === 0 ? {} : parseJson(line)
  // What is no object is a header that says nothing.
  const header = isObject(given) ? given : {}
  for (const key of Object.keys(header)) {
    if (NO_EFFECT.has(key) || ['index', 'indices'].includes(key)) continue
    if (['ignore_unavailable', 'allow_no_indices'].includes(key)) continue
    if (key === 'search_pipeline') throw unsupported(`msearch.${key}`, `[${key}] of a search`)
    throw failures.illegalArgument(`key [${key}] is not supported in the metadata section`)
  }
  const type = header['search_type']
  if (type !== undefined && type !== 'query_then_fetch' && type !== 'dfs_query_then_fetch')
    throw failures.illegalArgument(`No search type for [${plainText(type)}]`)
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
  return [given].flat().map(plainText).join(',')
}

function readFlag(header: JsonObject, name: string) {
  const value = header[name]
  if (value === undefined) return undefined
  try {
    return booleanOf(value)
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    throw failures.illegalArgument(`Could not convert [${name}] to boolean`, {
      causedBy: toCause(error),
    })
  }
}

async function runItem(item: Item, engine: Engine) {
  try {
    const found = engine.cluster.resolve(item.expression, item)
    const answer = await searchTargets(found, item.body, engine, item.params)
    return { ...answer, status: 200 }
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    return { error: toErrorObject(error), status: error.status }
  }
}

/** `POST /_msearch`: several searches; each that can be read has its own answer or error. */
export const msearch = defineEndpoint({
  name: 'msearch',
  support: 'partial',
  methods: ['GET', 'POST'],
  paths: ['/_msearch', '/{index}/_msearch'],
  parameters: {
    ...INDEX_OPTIONS,
    ...SEARCH_OPTIONS,
    max_concurrent_searches: 'no-effect',
    rest_total_hits_as_int: 'boolean',
  },
  body: 'required',
  async handle(request, engine) {
    const began = performance.now()
    const responses = []
    for (const item of await readItems(request, engine)) responses.push(await runItem(item, engine))
    return json({ took: Math.round(performance.now() - began), responses })
  },
})
