import type { Client } from '../client/client.ts'
import type { Host } from '../host/host.ts'

/** What a command may ask. */
export interface CommandServices {
  client: Client
  host: Host
}

/** One thing the user can do. Menu, palette, keyboard and buttons all read this. */
export interface Command {
  id: `${string}.${string}`
  title: string
  /** `Mod` is Cmd on macOS and Ctrl elsewhere. The first one is shown. */
  keys?: readonly string[]
  /** Keys a browser keeps for itself; they count where the host passes them on. */
  hostKeys?: readonly string[]
  /** Inside an editor the keys keep their meaning there. */
  notInEditor?: boolean
  /** Why it cannot run now, as a sentence; undefined when it can. */
  unavailable?: () => string | undefined
  run: (services: CommandServices) => void | Promise<void>
}

/** Declares a command; `index.ts` lists it. */
export const defineCommand = (command: Command) => command
