import { notify, surfaceStore } from '../stores/surface.ts'
import type { Command, CommandServices } from './define.ts'
import { commands } from './index.ts'
import { matchesKeys } from './keys.ts'
import { runCommand } from './run-command.ts'

/** Runs commands by their keys, before an editor sees them. */
export function listenToKeys(services: CommandServices) {
  addEventListener(
    'keydown',
    (event) => {
      const command = commands.find((one) => isMeant(one, event, services))
      if (!command) return
      event.preventDefault()
      event.stopPropagation()
      const reason = command.unavailable?.()
      if (reason === undefined) void runCommand(command, services)
      else notify(`${command.title.replace(/…$/, '')} is not possible now`, reason)
    },
    { capture: true },
  )
}

function isMeant(command: Command, event: KeyboardEvent, { host }: CommandServices) {
  const keys = [...(command.keys ?? []), ...(host.ownsTabKeys ? (command.hostKeys ?? []) : [])]
  const pressed = keys.find((one) => matchesKeys(event, one, host.isMac))
  if (!pressed) return false
  // An open surface keeps the keyboard; only the palette may take its place.
  if (surfaceStore.getState().open !== null && command.id !== 'view.palette') return false
  const isTyping =
    event.target instanceof HTMLElement &&
    event.target.closest('input, textarea, [contenteditable=true], .monaco-editor') !== null
  return !isTyping || (pressed.length > 1 && command.notInEditor !== true)
}
