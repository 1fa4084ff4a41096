import type { ClusterIndex } from '../../cluster/cluster.ts'
import { EngineFailure, toCause } from '../../errors.ts'
import { defineEndpoint } from '../../features/define.ts'
import type { Operation, Outcome } from '../../index/operation.ts'
import type { Engine } from '../engine.ts'
import { json } from '../reply.ts'
import { readBulk, type BulkLine } from './bulk-body.ts'
import { readUpdate } from './update.ts'
import { applyRefresh, checkId, describeOutcome, generateId, statusOf } from './write-reply.ts'

type Update = ReturnType<typeof readUpdate>['update']

/**
 * Reads what updates ask for before anything is written: one that cannot be read spoils the whole
 * request, as in the engine; one that is refused fails alone.
 */
function readUpdates(lines: readonly BulkLine[]): (Update | EngineFailure | undefined)[] {
  return lines.map(({ action, source }) => {
    if (action !== 'update') return undefined
    try {
      return readUpdate(source).update
    } catch (error) {
      if (error instanceof EngineFailure && error.type === 'unsupported_feature_exception')
        return error
      throw error
    }
  })
}

function toOperation(line: BulkLine, update: Update | EngineFailure | undefined): Operation {
  const { action, id, routing, conditions, source } = line
  if (id !== undefined) checkId(id)
  const base = { id: id ?? generateId(), ...(routing !== undefined && { routing }), ...conditions }
  if (action === 'delete') return { kind: action, ...base }
  if (update instanceof EngineFailure) throw update
  if (update) return { kind: 'update', ...base, update }
  return { kind: action === 'create' ? 'create' : 'index', ...base, source }
}

interface Result {
  readonly target: ClusterIndex
  readonly outcome: Outcome
}

/** Runs the actions, those of one index in one transaction; results stand in the order of lines. */
function run(lines: readonly BulkLine[], { cluster }: Engine) {
  const updates = readUpdates(lines)
  const results: (Result | EngineFailure | undefined)[] = lines.map(() => undefined)
  const groups = new Map<ClusterIndex, { at: number; operation: Operation }[]>()
  for (const [at, line] of lines.entries()) {
    try {
      const operation = toOperation(line, updates[at])
      const mustExist = operation.kind === 'delete' && operation.versionType === undefined
      const target = mustExist ? cluster.get(line.index) : cluster.getOrCreate(line.index)
      const group = groups.get(target) ?? []
      group.push({ at, operation })
      groups.set(target, group)
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error
      results[at] = error
    }
  }
  for (const [target, group] of groups) {
    const outcomes = target.index.write(group.map(({ operation }) => operation))
    for (const [i, { at }] of group.entries()) {
      const outcome = outcomes[i]
      results[at] = outcome instanceof EngineFailure || !outcome ? outcome : { target, outcome }
    }
  }
  return { results, targets: [...groups.keys()] }
}

function describe(
  { action, index, id }: BulkLine,
  result: Result | EngineFailure | undefined,
  engine: Engine,
  isRefreshed: boolean,
) {
  if (result === undefined || result instanceof EngineFailure)
    return {
      [action]: {
        _index: index,
        ...(engine.profile.emitType && { _type: '_doc' }),
        _id: id ?? null,
        status: result?.status ?? 500,
        ...(result && { error: toCause(result) }),
      },
    }
  const { target, outcome } = result
  return {
    [action]: {
      ...describeOutcome(engine, target, outcome, isRefreshed),
      status: statusOf(outcome),
    },
  }
}

/** `POST /_bulk`: many writes, each with its own result. */
export const bulk = defineEndpoint({
  name: 'bulk',
  support: 'partial',
  methods: ['POST', 'PUT'],
  paths: ['/_bulk', '/{index}/_bulk'],
  parameters: {
    refresh: 'text',
    timeout: 'no-effect',
    wait_for_active_shards: 'no-effect',
    batch_size: 'no-effect',
    routing: 'none',
    pipeline: 'none',
    require_alias: 'none',
    _source: 'none',
    _source_includes: 'none',
    _source_excludes: 'none',
  },
  body: 'required',
  async handle(request, engine) {
    const began = performance.now()
    const policy = request.refreshPolicy()
    const lines = readBulk(request.body, request.part('index'))
    engine.checkMemory(request.body.length)
    const { results, targets } = run(lines, engine)
    await applyRefresh(targets, policy)
    const items = lines.map((line, i) => describe(line, results[i], engine, policy === 'true'))
    return json({
      took: Math.round(performance.now() - began),
      errors: results.some((result) => result === undefined || result instanceof EngineFailure),
      items,
    })
  },
})
