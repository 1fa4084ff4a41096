import { changeSettings, settingsStore } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Shows or hides the panel with problems and runs. */
export const toggleBottomPanel = defineCommand({
  id: 'view.toggleBottomPanel',
  title: 'Toggle Bottom Panel',
  keys: ['Mod+J'],
  run: () => changeSettings({ isBottomOpen: !settingsStore.getState().isBottomOpen }),
})
