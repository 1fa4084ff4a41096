import { openSurface } from '../stores/surface.ts'
import { openWorkspace } from '../stores/workspace.ts'
import { defineCommand } from './define.ts'

/** Opens a folder as the workspace; where no folder dialog is to be had, its path is asked. */
export const openFolder = defineCommand({
  id: 'file.openFolder',
  title: 'Open Folder…',
  keys: ['Mod+O'],
  async run({ client, host }) {
    if (!host.pickFolder) {
      openSurface('openFolder')
      return
    }
    const dir = await host.pickFolder()
    if (dir !== null) await openWorkspace(client, dir)
  },
})
