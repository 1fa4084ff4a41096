import { settingsStore } from './settings.ts'

/** What is on screen: `system` resolved. */
export type Theme = 'dark' | 'light'

const prefersLight = () => matchMedia('(prefers-color-scheme: light)')

/** The theme the settings and the operating system ask for together. */
export function currentTheme(): Theme {
  const { theme } = settingsStore.getState()
  if (theme !== 'system') return theme
  return prefersLight().matches ? 'light' : 'dark'
}

/** Keeps `data-theme` of the page in step; calls `onChange` at once and after every change. */
export function followTheme(onChange: (theme: Theme) => void = () => undefined) {
  // Each caller has its own memory: the page may be in step while an editor is not yet.
  let shown: Theme | undefined
  const apply = () => {
    const theme = currentTheme()
    if (shown === theme) return
    shown = theme
    document.documentElement.dataset['theme'] = theme
    onChange(theme)
  }
  apply()
  settingsStore.subscribe(apply)
  prefersLight().addEventListener('change', apply)
}
