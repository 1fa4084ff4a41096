import { changeSettings } from '../stores/settings.ts'
import { defineCommand } from './define.ts'

/** Lets the operating system choose the theme. */
export const useSystemTheme = defineCommand({
  id: 'view.systemTheme',
  title: 'Use the System Theme',
  run: () => changeSettings({ theme: 'system' }),
})
