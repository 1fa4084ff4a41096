import { versionConflict, type IndexIdentity } from '../errors.ts'
import type { DocumentHead, Tombstone } from '../store/documents.ts'
import type { Operation } from './operation.ts'

/**
 * The version a write gives its document.
 * @throws {EngineFailure} version_conflict_engine_exception when a condition does not hold.
 */
export function nextVersion(
  index: IndexIdentity,
  operation: Operation,
  head: DocumentHead | undefined,
  buried: Tombstone | undefined,
): number {
  const { id, kind, ifSeqNo, ifPrimaryTerm, version, versionType } = operation
  if (kind === 'create' && head)
    throw versionConflict(index, id, `document already exists (current version [${head.version}])`)
  if (ifSeqNo !== undefined && (head?.seqNo !== ifSeqNo || ifPrimaryTerm !== 1)) {
    const found = head
      ? `current document has seqNo [${head.seqNo}] and primary term [1]`
      : 'but no document was found'
    throw versionConflict(
      index,
      id,
      `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. ${found}`,
    )
  }
  const current = head?.version ?? buried?.version
  if (version === undefined) return (current ?? 0) + 1
  if (current === undefined) return version
  if (versionType === 'external' && current >= version)
    throw versionConflict(
      index,
      id,
      `current version [${current}] is higher or equal to the one provided [${version}]`,
    )
  if (versionType === 'external_gte' && current > version)
    throw versionConflict(
      index,
      id,
      `current version [${current}] is higher than the one provided [${version}]`,
    )
  return version
}
