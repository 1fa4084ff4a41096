import { changeSettings } from '../stores/settings.ts'
import { HOME, openTab } from '../stores/tabs.ts'
import { defineCommand } from './define.ts'

/** Shows the list of first steps on Home again. */
export const showGuide = defineCommand({
  id: 'help.guide',
  title: 'Getting Started',
  run() {
    changeSettings({ isGuideHidden: false })
    openTab(HOME)
  },
})
