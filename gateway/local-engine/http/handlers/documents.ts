import { EngineFailure, failures, requestInvalid } from '../../errors.ts'
import { defineEndpoint, type Parameters } from '../../features/define.ts'
import type { Operation, Outcome } from '../../index/operation.ts'
import type { Engine } from '../engine.ts'
import { json, type Reply } from '../reply.ts'
import { bodyRequired, readConditions, type EngineRequest } from '../request.ts'
import { applyRefresh, checkId, describeOutcome, generateId, statusOf } from './write-reply.ts'

/** Parameters of every write of one document. */
export const WRITE_PARAMETERS: Parameters = {
  refresh: 'text',
  routing: 'text',
  timeout: 'no-effect',
  wait_for_active_shards: 'no-effect',
  if_seq_no: 'int',
  if_primary_term: 'int',
  version: 'int',
  version_type: 'text',
  require_alias: 'none',
}

/** The conditions in a request's parameters. */
export const conditionsOf = (request: EngineRequest) =>
  readConditions({
    ifSeqNo: request.int('if_seq_no'),
    ifPrimaryTerm: request.int('if_primary_term'),
    version: request.int('version'),
    versionType: request.text('version_type'),
  })

/** Runs one write and answers it. */
export async function writeOne(
  request: EngineRequest,
  engine: Engine,
  operation: Operation,
  extend: (outcome: Outcome) => object = () => ({}),
): Promise<Reply> {
  const policy = request.refreshPolicy()
  engine.checkMemory(request.body.length)
  const target =
    operation.kind === 'delete' && operation.versionType === undefined
      ? engine.cluster.get(request.part('index'))
      : engine.cluster.getOrCreate(request.part('index'))
  const [outcome] = target.index.write([operation])
  if (!outcome || outcome instanceof EngineFailure) throw outcome
  await applyRefresh([target], policy)
  const body = {
    ...describeOutcome(engine, target, outcome, policy === 'true'),
    ...extend(outcome),
  }
  const place = `/${encodeURIComponent(target.registered.name)}/_doc/${encodeURIComponent(outcome.id)}`
  return {
    ...json(body, statusOf(outcome)),
    ...(outcome.result === 'created' && { headers: { location: place } }),
  }
}

function writeDocument(request: EngineRequest, engine: Engine, isCreate: boolean) {
  if (request.body.length === 0) throw bodyRequired()
  const given = request.part('id')
  if (given !== '') checkId(given)
  const opType = request.text('op_type') ?? (isCreate || given === '' ? 'create' : 'index')
  if (opType !== 'create' && opType !== 'index')
    throw failures.illegalArgument(`opType must be 'create' or 'index', found: [${opType}]`)
  const conditions = conditionsOf(request)
  if (opType === 'create' && given !== '' && conditions.version !== undefined)
    throw requestInvalid(`create operations only support internal versioning. use index instead`)
  if (given === '' && conditions.ifSeqNo !== undefined)
    throw requestInvalid('an id must be provided if version type or value are set')
  return writeOne(request, engine, {
    kind: opType,
    id: given || generateId(),
    source: request.body,
    ...(request.has('routing') && { routing: request.text('routing') }),
    ...conditions,
  })
}

/** `PUT /{index}/_doc/{id}`, and `POST` with an id of our making. */
export const indexDocument = defineEndpoint({
  name: 'index',
  support: 'partial',
  methods: ['PUT', 'POST'],
  paths: ['/{index}/_doc/{id}'],
  parameters: { ...WRITE_PARAMETERS, op_type: 'text', pipeline: 'none' },
  body: 'required',
  handle: (request, engine) => writeDocument(request, engine, false),
})

/** `POST /{index}/_doc` */
export const addDocument = defineEndpoint({
  ...indexDocument,
  name: 'index.generated_id',
  methods: ['POST'],
  paths: ['/{index}/_doc'],
})

/** `PUT /{index}/_create/{id}`: only when there is none yet. */
export const createDocument = defineEndpoint({
  ...indexDocument,
  name: 'create',
  paths: ['/{index}/_create/{id}'],
  handle: (request, engine) => writeDocument(request, engine, true),
})

/** `DELETE /{index}/_doc/{id}` */
export const deleteDocument = defineEndpoint({
  name: 'delete',
  support: 'full',
  methods: ['DELETE'],
  paths: ['/{index}/_doc/{id}'],
  parameters: WRITE_PARAMETERS,
  body: 'none',
  handle: (request, engine) =>
    writeOne(request, engine, {
      kind: 'delete',
      id: request.part('id'),
      ...conditionsOf(request),
    }),
})
