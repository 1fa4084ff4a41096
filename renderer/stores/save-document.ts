import { CallError, type Client } from '../client/client.ts'
import { markDone } from './settings.ts'
import { documentsStore, isDirty, keepEdits, markSaved, receiveDiskText } from './documents.ts'

/**
 * Writes a document to disk. When the file was changed meanwhile nothing is written and the
 * document becomes stale, which its tab shows.
 * @throws {CallError} when the file could not be written.
 */
export async function saveDocument(client: Client, path: string) {
  const document = documentsStore.getState().documents[path]
  if (!document || !isDirty(document)) return
  const { text, etag } = document
  try {
    const saved = await client.call('PUT /api/workspace/file', { body: { path, text, etag } })
    markSaved(path, text, saved.etag)
    if (document.kind === 'pipeline') markDone('edit')
  } catch (error) {
    if (!(error instanceof CallError) || (error.status !== 409 && error.status !== 412)) throw error
    await readDisk(client, path)
  }
}

/** Compares a document with what is on disk now; called when the gateway says that it changed. */
export async function readDisk(client: Client, path: string) {
  if (!documentsStore.getState().documents[path]) return
  receiveDiskText(await client.call('GET /api/workspace/file', { query: { path } }))
}

/** Writes the edits over what someone else put on disk. */
export async function overwriteDisk(client: Client, path: string) {
  keepEdits(await client.call('GET /api/workspace/file', { query: { path } }))
  await saveDocument(client, path)
}
