import { changeSettings } from '../stores/settings.ts'
import { currentTheme } from '../stores/theme.ts'
import { defineCommand } from './define.ts'

/** Changes between the dark and the light theme. */
export const toggleTheme = defineCommand({
  id: 'view.toggleTheme',
  title: 'Toggle Dark and Light Theme',
  run: () => changeSettings({ theme: currentTheme() === 'dark' ? 'light' : 'dark' }),
})
