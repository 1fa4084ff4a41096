import { spawn } from 'node:child_process'

/** A command that still runs by then has become the browser itself. */
const STARTED_MS = 3_000

/** Asks the system to show an address in the user's browser; false when that cannot be asked. */
export function openBrowser(address: string): Promise<boolean> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return Promise.resolve(false)
  const [command, args] = COMMANDS[process.platform] ?? ['xdg-open', []]
  return new Promise((resolve) => {
    // Detached: a browser that starts with this outlives us.
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    child.unref()
    setTimeout(() => resolve(true), STARTED_MS).unref()
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}

const COMMANDS: Partial<Record<NodeJS.Platform, [command: string, args: string[]]>> = {
  darwin: ['open', []],
  win32: ['rundll32', ['url.dll,FileProtocolHandler']],
}
