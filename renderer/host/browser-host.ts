import type { Host } from './host.ts'

/** For a plain browser tab: development, machines without Electron, every end-to-end test. */
export const createBrowserHost = (): Host => ({
  pickFolder: null,
  openExternal: (url) => void window.open(url, '_blank', 'noopener'),
  saveFile: (name, content, mediaType) => {
    const url = URL.createObjectURL(
      new Blob([typeof content === 'string' ? content : new Uint8Array(content)], {
        type: mediaType,
      }),
    )
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    // The download has taken its own hold of the blob by the next task.
    setTimeout(() => URL.revokeObjectURL(url))
    return Promise.resolve()
  },
  ownsTabKeys: false,
  isMac: navigator.platform.startsWith('Mac'),
})
