import { EngineFailure, requestInvalid, unsupported, xContentParseFailure } from '../../errors.ts'
import { defineEndpoint } from '../../features/define.ts'
import type { UpdateRequest } from '../../index/operation.ts'
import { createPositions, parseJson, type JsonObject } from '../../json/parse.ts'
import { isObject } from '../../mapping/parse.ts'
import { tokenName, unknownField, wrongField, wrongKind } from '../../query/define.ts'
import { booleanOf } from '../../query/tokens.ts'
import { readSourceFilter } from '../../search/source-filter.ts'
import { conditionsOf, WRITE_PARAMETERS, writeOne } from './documents.ts'
import { filterSource, SOURCE_PARAMETERS, sourceFilterOf } from './get.ts'
import { checkId } from './write-reply.ts'

const SCRIPTS = ['script', 'scripted_upsert']
const KNOWN = [
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  '_source',
  'if_seq_no',
  'if_primary_term',
]

/**
 * Reads the body of `_update`, also as a line of `_bulk`.
 * @throws {EngineFailure} for scripts, and for what it does not know.
 */
export function readUpdate(body: Uint8Array): { update: UpdateRequest; source: unknown } {
  const json = body.length === 0 ? {} : parseJson(body, { keepNumberText: true })
  if (!isObject(json))
    throw xContentParseFailure(
      `[UpdateRequest] Expected START_OBJECT but was: ${tokenName(json)}`,
      { line: 1, col: 1 },
    )
  const here = { parser: 'UpdateRequest', body: json }
  const positions = { positionOf: createPositions(body, json) }
  for (const key of Object.keys(json)) {
    if (SCRIPTS.includes(key)) throw unsupported(`update.${key}`, `[${key}] of an update`)
    if (!KNOWN.includes(key)) throw unknownField(here, key, [...KNOWN, ...SCRIPTS], positions)
  }
  const object = (key: string): JsonObject | undefined => {
    const value = json[key]
    if (value === undefined || isObject(value)) return value
    throw wrongKind(here, key, positions)
  }
  const flag = (key: string, otherwise: boolean) => {
    const value = json[key]
    if (value === undefined) return otherwise
    if (typeof value !== 'boolean' && typeof value !== 'string')
      throw wrongKind(here, key, positions)
    try {
      return booleanOf(value)
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error
      throw wrongField(here, key, error, positions)
    }
  }
  const update = {
    ...(json['doc'] !== undefined && { doc: object('doc') }),
    ...(json['upsert'] !== undefined && { upsert: object('upsert') }),
    docAsUpsert: flag('doc_as_upsert', false),
    detectNoop: flag('detect_noop', true),
  }
  if (!update.doc) {
    if (update.docAsUpsert)
      throw requestInvalid('doc must be specified if doc_as_upsert is enabled')
    throw requestInvalid('script or doc is missing')
  }
  return { update, source: json['_source'] }
}

/** `POST /{index}/_update/{id}`: merges into the current source. */
export const updateDocument = defineEndpoint({
  name: 'update',
  support: 'partial',
  methods: ['POST'],
  paths: ['/{index}/_update/{id}'],
  parameters: {
    ...WRITE_PARAMETERS,
    ...SOURCE_PARAMETERS,
    // Writes of one index run one after the other, so there is never anything to try again.
    retry_on_conflict: 'no-effect',
    lang: 'none',
  },
  body: 'required',
  handle(request, engine) {
    const id = request.part('id')
    checkId(id)
    const { update, source } = readUpdate(request.body)
    const filter =
      sourceFilterOf(request) ??
      (source === undefined ? undefined : readSourceFilter({ _source: source }))
    return writeOne(
      request,
      engine,
      {
        kind: 'update',
        id,
        update,
        ...(request.has('routing') && { routing: request.text('routing') }),
        ...conditionsOf(request),
      },
      (outcome) =>
        filter?.enabled && outcome.source
          ? {
              get: {
                _seq_no: outcome.seqNo,
                _primary_term: 1,
                found: true,
                _source: filterSource(outcome.source, filter),
              },
            }
          : {},
    )
  },
})
