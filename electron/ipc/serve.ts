import { ipcMain } from 'electron'
import { channels, ipc, type Ipc } from './contract.ts'

/**
 * Registers all handlers. Leaving one out, or mistyping one, does not compile. A message from
 * anything but the top frame of our own page is refused.
 */
export function serveIpc(handlers: Ipc, isTrusted: (url: string) => boolean) {
  for (const channel of channels) {
    ipcMain.handle(channel, (event, ...raw: unknown[]) => {
      const frame = event.senderFrame
      if (!frame || frame.parent || !isTrusted(frame.url)) throw new Error(`Refused ${channel}`)
      const args = ipc[channel].args.parse(raw)
      // Safe: `args` was parsed by the schema that typed this very handler.
      return (handlers[channel] as (...args: unknown[]) => unknown)(...args)
    })
  }
}
