import { download } from './download.ts'
import type { Host } from './host.ts'

/** For a plain browser tab: development, machines without Electron, every end-to-end test. */
export const createBrowserHost = (): Host => ({
  pickFolder: null,
  openExternal: (url) => void window.open(url, '_blank', 'noopener'),
  saveFile: (name, content, mediaType) => {
    download(name, content, mediaType)
    return Promise.resolve()
  },
  ownsTabKeys: false,
  isMac: navigator.platform.startsWith('Mac'),
})
