import { stepTab } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Brings the tab at the right to the front. */
export const nextTab = defineCommand({
  id: 'go.nextTab',
  title: 'Next Tab',
  keys: ['Ctrl+PageDown', 'Alt+PageDown'],
  hostKeys: ['Ctrl+Tab'],
  run: () => stepTab(1),
})
