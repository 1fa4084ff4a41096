import { stepTab } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Brings the tab at the left to the front. */
export const previousTab = defineCommand({
  id: 'go.previousTab',
  title: 'Previous Tab',
  keys: ['Ctrl+PageUp', 'Alt+PageUp'],
  hostKeys: ['Ctrl+Shift+Tab'],
  run: () => stepTab(-1),
})
