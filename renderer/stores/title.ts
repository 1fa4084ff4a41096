import { appStore } from './app.ts'
import { dirtyPaths, documentsStore } from './documents.ts'

/** Keeps the window's title in step: a dot for unsaved changes, the workspace, the program. */
export function followTitle() {
  write()
  appStore.subscribe(write)
  documentsStore.subscribe(write)
}

function write() {
  const name = appStore.getState().state?.workspace?.name
  const isDirty = dirtyPaths(documentsStore.getState()) !== ''
  const title = `${isDirty ? '● ' : ''}${name ? `${name} — ` : ''}Sluice`
  if (document.title !== title) document.title = title
}
