import { changeSettings } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Shows the runs the gateway has recorded. */
export const showRuns = defineCommand({
  id: 'view.runs',
  title: 'Show Runs',
  keys: ['Mod+Shift+U'],
  run: () => changeSettings({ isSideOpen: true, sideView: 'runs' }),
})
