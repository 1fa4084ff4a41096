import { HOME, openTab } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Shows Home: the three doors, recent workspaces, the first steps. */
export const goHome = defineCommand({
  id: 'go.home',
  title: 'Go to Home',
  keys: ['Mod+Shift+H'],
  run: () => openTab(HOME),
})
