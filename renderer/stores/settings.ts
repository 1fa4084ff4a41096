import { z } from 'zod'
import { createStore, useStore } from 'zustand'

const KEY = 'sluice.settings'

const Settings = z.object({
  theme: z.enum(['system', 'dark', 'light']).default('system'),
  sideView: z.enum(['explorer', 'runs']).default('explorer'),
  isSideOpen: z.boolean().default(true),
  bottomView: z.enum(['problems', 'runs']).default('problems'),
  isBottomOpen: z.boolean().default(false),
  isFocusMode: z.boolean().default(false),
  /** Sizes of panes in percent, by split and pane. */
  layouts: z.record(z.string(), z.record(z.string(), z.number())).default({}),
  /** Width of the side view and height of the bottom panel. */
  sidePixels: z.number().default(232),
  bottomPixels: z.number().default(200),
  pipelineView: z.enum(['text', 'split', 'graph']).default('split'),
  /** Steps of the getting-started list that were done, and hints that were dismissed. */
  done: z.array(z.string()).default([]),
  isGuideHidden: z.boolean().default(false),
})
/** What the user chose about the looks of the workbench; kept on this machine. */
export type Settings = z.infer<typeof Settings>

/** Choices of the user, read once from local storage. */
export const settingsStore = createStore<Settings>(read)

settingsStore.subscribe((settings) => localStorage.setItem(KEY, JSON.stringify(settings)))

/** Changes some settings. */
export const changeSettings = (change: Partial<Settings>) => settingsStore.setState(change)

/** Ticks a step of the getting-started list, or dismisses a hint. */
export const markDone = (step: string) =>
  settingsStore.setState((state) =>
    state.done.includes(step) ? state : { done: [...state.done, step] },
  )

/** Remembers the sizes of a split's panes. */
export const rememberLayout = (splitId: string, layout: Record<string, number>) =>
  settingsStore.setState(({ layouts }) => ({ layouts: { ...layouts, [splitId]: layout } }))

/** Re-renders when what `selector` picks from this store changes. */
export const useSettings = <T>(selector: (state: Settings) => T) =>
  useStore(settingsStore, selector)

function read(): Settings {
  try {
    return Settings.parse(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    // Settings of an older or broken form are not worth an error: the defaults serve.
    return Settings.parse({})
  }
}
