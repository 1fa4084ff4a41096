import { changeSettings, settingsStore } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Leaves nothing on screen but the documents. */
export const toggleFocusMode = defineCommand({
  id: 'view.focusMode',
  title: 'Toggle Focus Mode',
  keys: ['Mod+Shift+Z'],
  // There it is redo.
  notInEditor: true,
  run: () => changeSettings({ isFocusMode: !settingsStore.getState().isFocusMode }),
})
