import { changeSettings } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Shows the files of the workspace. */
export const showExplorer = defineCommand({
  id: 'view.explorer',
  title: 'Show Explorer',
  keys: ['Mod+Shift+E'],
  run: () => changeSettings({ isSideOpen: true, sideView: 'explorer' }),
})
