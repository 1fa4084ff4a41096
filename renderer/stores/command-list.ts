import { createStore, useStore } from 'zustand'

/** One command as menus, palette, buttons and the shortcut sheet see it. */
export interface ListedCommand {
  id: string
  title: string
  /** Keys as this platform writes them, such as `Ctrl+K`; the first one is shown. */
  keys: readonly string[]
  /** Why it cannot run now; undefined when it can. */
  unavailable: () => string | undefined
  run: () => void
}

/** Every command, put here by the composition root: layers below `commands` run them by id. */
export const commandList = createStore<readonly ListedCommand[]>(() => [])

/** Finds a command. @throws {Error} for an id that is not in the registry, which is a bug. */
export function commandOf(id: string): ListedCommand {
  const command = commandList.getState().find((one) => one.id === id)
  if (!command) throw new Error(`There is no command "${id}"`)
  return command
}

/** Runs a command by its id; when it is unavailable nothing happens. */
export function runCommand(id: string) {
  const command = commandOf(id)
  if (command.unavailable() === undefined) command.run()
}

/** All commands, for what lists them. */
export const useCommands = () => useStore(commandList)
