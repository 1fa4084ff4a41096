import type { ListedCommand } from '../stores/command-list.ts'
import type { CommandServices } from './define.ts'
import { commands } from './index.ts'
import { toKeyLabel } from './keys.ts'
import { runCommand } from './run-command.ts'

/** The registry as the layers below see it, bound to this host and gateway. */
export const listCommands = (services: CommandServices): ListedCommand[] =>
  commands.map((command) => ({
    id: command.id,
    title: command.title,
    keys: [
      ...(services.host.ownsTabKeys ? (command.hostKeys ?? []) : []),
      ...(command.keys ?? []),
    ].map((keys) => toKeyLabel(keys, services.host.isMac)),
    unavailable: () => command.unavailable?.(),
    run: () => void runCommand(command, services),
  }))
