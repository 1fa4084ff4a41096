import { randomBytes } from 'node:crypto'
import type { ClusterIndex } from '../../cluster/cluster.ts'
import { failures, requestInvalid } from '../../errors.ts'
import type { Outcome } from '../../index/operation.ts'
import type { Engine } from '../engine.ts'

/** What a write of one document answers; also an item of `_bulk`. */
export const describeOutcome = (
  { profile }: Engine,
  { registered, settings }: ClusterIndex,
  outcome: Outcome,
  isRefreshed: boolean,
) => ({
  _index: registered.name,
  ...(profile.emitType && { _type: '_doc' }),
  _id: outcome.id,
  _version: outcome.version,
  result: outcome.result,
  ...(isRefreshed && outcome.result !== 'noop' && { forced_refresh: true }),
  _shards:
    outcome.result === 'noop'
      ? { total: 0, successful: 0, failed: 0 }
      : { total: 1 + settings.replicas, successful: 1, failed: 0 },
  _seq_no: outcome.seqNo,
  _primary_term: 1,
})

/** The status that goes with an outcome. */
export const statusOf = ({ result }: Outcome): number =>
  result === 'created' ? 201 : result === 'not_found' ? 404 : 200

/** An id nobody chose: time first, so that ids made together are near each other. */
export function generateId(): string {
  const bytes = randomBytes(15)
  bytes.writeUIntBE(Date.now(), 0, 6)
  return bytes.toString('base64url')
}

const MAX_ID_BYTES = 512

/** @throws {EngineFailure} for an id that is empty or too long. */
export function checkId(id: string): void {
  if (id === '') throw failures.illegalArgument('if _id is specified it must not be empty')
  const bytes = Buffer.byteLength(id)
  if (bytes > MAX_ID_BYTES)
    throw requestInvalid(
      `id [${id}] is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes}`,
    )
}

/** Makes a write visible as its `refresh` asks. */
export async function applyRefresh(
  targets: Iterable<ClusterIndex>,
  policy: 'true' | 'false' | 'wait_for',
): Promise<void> {
  if (policy === 'false') return
  await Promise.all(
    Array.from(targets, async ({ index }) =>
      policy === 'true' ? index.refresh() : index.nextRefresh(),
    ),
  )
}
