import { currentWorkspace } from '../stores/app.ts'
import { openSurface } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

/** Finds a file of the workspace by name. */
export const goToFile = defineCommand({
  id: 'go.file',
  title: 'Go to File…',
  keys: ['Mod+P'],
  unavailable: () => (currentWorkspace() ? undefined : 'No workspace is open'),
  run: () => openSurface('files'),
})
