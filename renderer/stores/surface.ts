import { createStore, useStore } from 'zustand'

interface SurfaceState {
  /** Which floating surface is open. */
  open: 'palette' | 'files' | 'environments' | 'shortcuts' | 'connect' | 'openFolder' | null
  /** Tab with unsaved edits that is about to be closed. */
  closingTabId: string | null
  /** Text for assistive technology, read out when it changes. */
  announcement: string
  /** Message at the bottom right; `at` makes the same text twice two messages. */
  notice: { title: string; description: string; kind: 'info' | 'error'; at: number } | null
  /** Path of the editor that has the focus. */
  focusedEditor: string | null
}

/** What floats above the workbench, and what it says. Not kept over a reload. */
export const surfaceStore = createStore<SurfaceState>(() => ({
  open: null,
  closingTabId: null,
  announcement: '',
  notice: null,
  focusedEditor: null,
}))

/** Opens a floating surface, or closes it with null. */
export const openSurface = (open: SurfaceState['open']) => surfaceStore.setState({ open })

/** Asks what shall become of a tab's unsaved edits; null ends the question. */
export const askToClose = (closingTabId: string | null) => surfaceStore.setState({ closingTabId })

/** Reads a text out. */
export const announce = (announcement: string) => surfaceStore.setState({ announcement })

let noticeCount = 0

/** Shows a message that goes away by itself. */
export const notify = (title: string, description = '', kind: 'info' | 'error' = 'info') =>
  surfaceStore.setState({ notice: { title, description, kind, at: ++noticeCount } })

/** Notes which editor has the focus; null when none has. */
export const noteEditorFocus = (focusedEditor: string | null) =>
  surfaceStore.setState({ focusedEditor })

/** Re-renders when what `selector` picks from this store changes. */
export const useSurface = <T>(selector: (state: SurfaceState) => T) =>
  useStore(surfaceStore, selector)
