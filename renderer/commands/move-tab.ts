import { activeTab, moveToOtherGroup } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Moves the tab in front beside the others, or back to them. */
export const moveTab = defineCommand({
  id: 'view.moveTab',
  title: 'Move Tab to the Other Side',
  keys: ['Mod+\\'],
  unavailable: () => (activeTab() ? undefined : 'No tab is open'),
  run() {
    const tab = activeTab()
    if (tab) moveToOtherGroup(tab.tabId)
  },
})
