import { activeTab, moveToOtherGroup, tabsStore } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Moves the tab in front beside the others, or back to them. */
export const moveTab = defineCommand({
  id: 'view.moveTab',
  title: 'Move Tab to the Other Side',
  keys: ['Mod+\\'],
  unavailable() {
    const { groups } = tabsStore.getState()
    return groups.length > 1 || (groups[0]?.tabs.length ?? 0) > 1
      ? undefined
      : 'There is no other tab to stay here'
  },
  run() {
    const tab = activeTab()
    if (tab) moveToOtherGroup(tab.tabId)
  },
})
