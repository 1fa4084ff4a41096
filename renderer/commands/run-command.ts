import { askEditor } from '../stores/editor-requests.ts'
import { notify } from '../stores/surface.ts'
import { activePath } from '../stores/tabs.ts'
import type { Command, CommandServices } from './define.ts'

/** Runs a command; a document it brought to the front gets the focus. Failures become messages. */
export async function runCommand(command: Command, services: CommandServices) {
  try {
    const before = activePath()
    await command.run(services)
    const path = activePath()
    if (path !== undefined && path !== before) askEditor({ kind: 'focus', path })
  } catch (error) {
    const title = command.title.replace(/…$/, '')
    notify(`${title} failed`, error instanceof Error ? error.message : String(error), 'error')
  }
}
