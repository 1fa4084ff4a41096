import { askEditor } from '../stores/editor-requests.ts'
import { documentsStore } from '../stores/documents.ts'
import { activePath } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

const FORMATTED = /\.(http|json|js)$/

/** Lays out the document in front: JSON, JavaScript, and the bodies of request documents. */
export const format = defineCommand({
  id: 'edit.format',
  title: 'Format Document',
  keys: ['Shift+Alt+F'],
  unavailable() {
    const path = activePath()
    if (path === undefined || !documentsStore.getState().documents[path])
      return 'No file is in front'
    return FORMATTED.test(path) ? undefined : 'Only JSON, JavaScript and requests can be formatted'
  },
  run() {
    const path = activePath()
    if (path !== undefined) askEditor({ kind: 'format', path })
  },
})
