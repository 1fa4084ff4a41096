import { contextBridge, ipcRenderer } from 'electron'

/** Spelled out: a sandboxed preload loads no modules, and the schemas need not run here. */
const channels = ['folder.pick', 'link.open', 'file.save']

contextBridge.exposeInMainWorld(
  'sluice',
  Object.fromEntries(
    channels.map((channel) => [
      channel,
      (...args: unknown[]) => ipcRenderer.invoke(channel, ...args),
    ]),
  ),
)
