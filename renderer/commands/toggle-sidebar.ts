import { changeSettings, settingsStore } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Shows or hides the side view. */
export const toggleSidebar = defineCommand({
  id: 'view.toggleSidebar',
  title: 'Toggle Sidebar',
  keys: ['Mod+B'],
  run: () => changeSettings({ isSideOpen: !settingsStore.getState().isSideOpen }),
})
