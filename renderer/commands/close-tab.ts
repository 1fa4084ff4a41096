import { closeTabSafely } from '../stores/close-tab.ts'
import { activeTab } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Closes the tab in front; unsaved changes are asked about first. */
export const closeTab = defineCommand({
  id: 'file.closeTab',
  title: 'Close Tab',
  keys: ['Alt+W'],
  hostKeys: ['Mod+W'],
  unavailable: () => (activeTab() ? undefined : 'No tab is open'),
  run() {
    const tab = activeTab()
    if (tab) closeTabSafely(tab)
  },
})
