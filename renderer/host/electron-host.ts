import type { Ipc } from '../../electron/ipc/contract.ts'
import { download } from './download.ts'
import type { Host } from './host.ts'

/** For the desktop app. `bridge` is what the preload script exposed as `window.sluice`. */
export const createElectronHost = (bridge: Ipc): Host => ({
  pickFolder: bridge['folder.pick'],
  openExternal: (url) => void bridge['link.open'](url),
  saveFile: (name, content, mediaType) => {
    if (typeof content === 'string') return bridge['file.save'](name, content)
    // Bytes do not cross the bridge; the window's own download asks where they go.
    download(name, content, mediaType)
    return Promise.resolve()
  },
  ownsTabKeys: true,
  isMac: navigator.platform.startsWith('Mac'),
})
