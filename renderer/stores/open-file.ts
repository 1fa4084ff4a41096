import type { Client } from '../client/client.ts'
import { currentWorkspace } from './app.ts'
import { documentsStore, failDocument, putDocument } from './documents.ts'
import { askEditor } from './editor-requests.ts'
import { fileTab, openTab } from './tabs.ts'

/** Opens a file of the workspace in a tab, reading it when it is not open yet. */
export async function openFile(
  client: Client,
  path: string,
  {
    isPreview = false,
    group,
    takeFocus = false,
  }: { isPreview?: boolean; group?: number; takeFocus?: boolean } = {},
) {
  openTab(fileTab(path, isPreview), group)
  await loadDocument(client, path)
  if (takeFocus) askEditor({ kind: 'focus', path })
}

/** Reads a file into the documents unless it is there; a failure is kept for the tab to show. */
export async function loadDocument(client: Client, path: string) {
  if (documentsStore.getState().documents[path]) return
  const dir = currentWorkspace()?.dir
  // Another workspace may be on screen by the time the answer comes.
  const isLate = () => currentWorkspace()?.dir !== dir
  try {
    const { text, etag } = await client.call('GET /api/workspace/file', { query: { path } })
    if (isLate() || documentsStore.getState().documents[path]) return
    putDocument({ path, kind: kindOf(path), text, savedText: text, etag, isStale: false })
  } catch (error) {
    if (!isLate()) failDocument(path, error instanceof Error ? error.message : String(error))
  }
}

/** Kind of a file of the open workspace. */
export const kindOf = (path: string) =>
  currentWorkspace()?.files.find((file) => file.path === path)?.kind ?? 'other'
