import { dirtyPaths, documentsStore } from '../stores/documents.ts'
import { saveDocument } from '../stores/save-document.ts'
import { defineCommand } from './define.ts'

/** Writes every document with unsaved changes to disk. */
export const saveAll = defineCommand({
  id: 'file.saveAll',
  title: 'Save All',
  keys: ['Mod+Alt+S'],
  unavailable: () =>
    dirtyPaths(documentsStore.getState()) === '' ? 'There are no unsaved changes' : undefined,
  async run({ client }) {
    for (const path of dirtyPaths(documentsStore.getState()).split('\n'))
      await saveDocument(client, path)
  },
})
