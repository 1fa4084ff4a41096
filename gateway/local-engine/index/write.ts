import { EngineFailure, failures, toCause, type IndexIdentity } from '../errors.ts'
import { parseJson } from '../json/parse.ts'
import { readDocument, type ReadDocument } from '../mapping/document.ts'
import type { Mapping } from '../mapping/mapper.ts'
import type { DocumentStore } from '../store/documents.ts'
import { inTransaction, isDiskFull, type Database } from '../store/sqlite.ts'
import type { Operation, Outcome } from './operation.ts'
import type { Change } from './pending.ts'
import { applyUpdate } from './update.ts'
import { nextVersion } from './versions.ts'

/** The part of an index that writes change. */
export interface WriteState {
  readonly identity: IndexIdentity
  readonly db: Database
  readonly documents: DocumentStore
  mapping(): Mapping
  /** Puts a grown mapping into the running transaction. */
  storeMapping(mapping: Mapping): void
  nextSeqNo(): number
}

/** What a transaction of writes did. Outcomes are in the order of operations. */
export interface WriteResult {
  readonly outcomes: readonly (Outcome | EngineFailure)[]
  /** To be made searchable, in order of their sequence numbers. */
  readonly changes: readonly Change[]
  readonly mapping: Mapping
  readonly nextSeqNo: number
}

// A source that begins otherwise is not worth reading; one that begins with much space is.
const OBJECT_START = /^(?:\xef\xbb\xbf)?(?:\s*\{|\s{64})/

/** Reads a source by a mapping; a source that is no JSON fails like a value that does not fit. */
export function readSource(mapping: Mapping, source: Uint8Array, id: string): ReadDocument {
  if (!OBJECT_START.test(Buffer.from(source.subarray(0, 64)).toString('latin1')))
    throw failures.mapperParsing('failed to parse', {
      causedBy: { type: 'not_x_content_exception', reason: 'a document is a JSON object: {…}' },
    })
  let json: unknown
  try {
    json = parseJson(source, { keepNumberText: true })
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    throw failures.mapperParsing('failed to parse', { causedBy: toCause(error) })
  }
  return readDocument(mapping, json, id)
}

/**
 * Runs writes in one transaction. A write that fails leaves no trace and the others go on; when
 * the transaction itself fails, nothing of it is kept.
 */
export function writeAll(state: WriteState, operations: readonly Operation[]): WriteResult {
  const { db, identity, documents } = state
  let mapping = state.mapping()
  let seqNo = state.nextSeqNo()
  const changes: Change[] = []

  function put(operation: Operation, source: Uint8Array): Outcome {
    const { id, routing = null } = operation
    const head = documents.head(id)
    const buried = head ? undefined : documents.tombstone(id)
    const version = nextVersion(identity, operation, head, buried)
    const read = readSource(mapping, source, id)
    const row = documents.put({ id, seqNo, version, routing, source }, head, buried)
    mapping = read.mapping
    changes.push({ row, seqNo, fields: read.fields })
    return { id, result: head ? 'updated' : 'created', version, seqNo: seqNo++ }
  }

  function remove(operation: Operation): Outcome {
    const { id } = operation
    const head = documents.head(id)
    const buried = head ? undefined : documents.tombstone(id)
    const version = nextVersion(identity, operation, head, buried)
    documents.remove(id, head?.row ?? buried?.row ?? null, seqNo, version)
    if (head) changes.push({ row: head.row, seqNo, fields: null })
    return { id, result: head ? 'deleted' : 'not_found', version, seqNo: seqNo++ }
  }

  function update(operation: Operation & { kind: 'update' }): Outcome {
    const { id } = operation
    const stored = documents.get(id)
    // The conditions are about the document that is there, so they come before the merge.
    if (stored) nextVersion(identity, operation, stored, undefined)
    const source = applyUpdate(identity, id, stored, operation.update)
    if (source === null && stored)
      return {
        id,
        result: 'noop',
        version: stored.version,
        seqNo: stored.seqNo,
        source: stored.source,
      }
    const written = source ?? new Uint8Array()
    const { routing = stored?.routing ?? undefined } = operation
    return { ...put({ kind: 'index', id, routing, source: written }, written), source: written }
  }

  function one(operation: Operation): Outcome | EngineFailure {
    try {
      if (operation.kind === 'delete') return remove(operation)
      if (operation.kind === 'update') return update(operation)
      return put(operation, operation.source)
    } catch (error) {
      if (error instanceof EngineFailure) return error
      throw error
    }
  }

  try {
    const outcomes = inTransaction(db, () => {
      const outcomes = operations.map(one)
      if (mapping !== state.mapping()) state.storeMapping(mapping)
      return outcomes
    })
    return { outcomes, changes, mapping, nextSeqNo: seqNo }
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const full = failures.clusterBlock(
      `index [${identity.name}] blocked by: [disk is full]: free some space, then write again`,
    )
    return {
      outcomes: operations.map(() => full),
      changes: [],
      mapping: state.mapping(),
      nextSeqNo: state.nextSeqNo(),
    }
  }
}
