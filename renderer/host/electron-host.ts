import type { Host } from './host.ts'

/** The part of the preload script's bridge that the UI asks; `electron/ipc/contract.ts` has it all. */
export interface Bridge {
  'folder.pick': () => Promise<string | null>
  'link.open': (url: string) => Promise<void>
  'file.save': (name: string, content: string | Uint8Array) => Promise<void>
}

/** For the desktop app. `bridge` is what the preload script exposed as `window.sluice`. */
export const createElectronHost = (bridge: Bridge): Host => ({
  pickFolder: bridge['folder.pick'],
  openExternal: (url) => void bridge['link.open'](url),
  saveFile: (name, content) => bridge['file.save'](name, content),
  ownsTabKeys: true,
  isMac: navigator.platform.startsWith('Mac'),
})
