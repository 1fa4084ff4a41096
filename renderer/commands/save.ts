import { documentsStore, isDirty } from '../stores/documents.ts'
import { saveDocument } from '../stores/save-document.ts'
import { activePath } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Writes the document in front to disk. */
export const save = defineCommand({
  id: 'file.save',
  title: 'Save',
  keys: ['Mod+S'],
  unavailable() {
    const path = activePath()
    const document = path === undefined ? undefined : documentsStore.getState().documents[path]
    if (!document) return 'No file is in front'
    return isDirty(document) ? undefined : 'There are no unsaved changes'
  },
  async run({ client }) {
    const path = activePath()
    if (path !== undefined) await saveDocument(client, path)
  },
})
