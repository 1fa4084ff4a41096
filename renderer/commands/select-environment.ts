import { currentWorkspace } from '../stores/app.ts'
import { openSurface } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

/** Chooses whose values `${{NAME}}` takes. */
export const selectEnvironment = defineCommand({
  id: 'run.environment',
  title: 'Select Environment…',
  keys: ['Mod+E'],
  unavailable() {
    const workspace = currentWorkspace()
    if (!workspace) return 'No workspace is open'
    return workspace.environments.length > 0 ? undefined : 'The workspace has no files in envs/'
  },
  run: () => openSurface('environments'),
})
