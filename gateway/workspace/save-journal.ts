import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '../errors.ts'
import type { PipelineRecord } from '../library/record.ts'
import type { StateStore } from '../state/state-store.ts'
import { etagOf, replaceFile } from './files.ts'

/** One file of a save; null removes it. Paths are relative to the workspace. */
export interface FileChange {
  path: string
  text: string | null
}

/** As it is kept: the record, and while a save is under way the files that are not yet written. */
interface Kept {
  record?: PipelineRecord
  /** `before` names the content the save replaces, null for no file. */
  pending?: (FileChange & { before: string | null })[]
}

const KIND = 'pipeline-versions'

/** Saves of one workspace. */
export type SaveJournal = ReturnType<typeof openSaveJournal>

/**
 * Keeps records of pipelines, and makes the files and the record of one save change together. A
 * save counts from the moment its document is in the state store; what a `kill -9` left undone after
 * that is done when the workspace is opened again. `scope` tells workspaces apart that share a store.
 */
export function openSaveJournal(root: string, state: StateStore, scope: string) {
  const keyOf = (id: string) => `${scope}|${id}`
  const records = new Map<string, PipelineRecord>()
  const etagAt = (path: string) => {
    const text = readIfThere(join(root, path))
    return text === undefined ? null : etagOf(text)
  }
  function settle(id: string, record: PipelineRecord | undefined) {
    if (record) {
      state.put(KIND, keyOf(id), { record } satisfies Kept)
      records.set(id, record)
    } else {
      state.remove(KIND, keyOf(id))
      records.delete(id)
    }
  }

  for (const { key, value } of state.list(KIND)) {
    if (!key.startsWith(keyOf(''))) continue
    const id = key.slice(keyOf('').length)
    // Safe: only this file writes the kind.
    const { record, pending } = value as Kept
    if (record) records.set(id, record)
    if (!pending) continue
    // A save that was interrupted ends now. A file that somebody changed since stays theirs.
    for (const { path, text, before } of pending)
      if (etagAt(path) === before) replaceFile(join(root, path), text)
    settle(id, record)
  }

  return {
    record: (id: string) => records.get(id),
    /**
     * Durable when it returns; nothing has changed when it throws.
     * @throws {GatewayError} WORKSPACE_UNWRITABLE
     */
    save(id: string, { record, files }: { record?: PipelineRecord; files: readonly FileChange[] }) {
      if (files.length === 0) return settle(id, record)
      const undo = files.map(({ path }) => ({ path, text: readIfThere(join(root, path)) ?? null }))
      const pending = files.map((file) => ({ ...file, before: etagAt(file.path) }))
      state.put(KIND, keyOf(id), { ...(record && { record }), pending } satisfies Kept)
      try {
        for (const { path, text } of files) replaceFile(join(root, path), text)
      } catch (cause) {
        for (const { path, text } of undo)
          if (text !== (readIfThere(join(root, path)) ?? null)) replaceFile(join(root, path), text)
        settle(id, records.get(id))
        const why = cause instanceof Error ? cause.message : String(cause)
        throw errors.workspaceUnwritable(`The files of pipeline "${id}" were not saved: ${why}`, {
          cause,
        })
      }
      settle(id, record)
    },
  }
}

const readIfThere = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
