import { notify } from '../stores/surface.ts'
import type { Command, CommandServices } from './define.ts'

/** Runs a command; its failure becomes a message that names the command. */
export async function runCommand(command: Command, services: CommandServices) {
  try {
    await command.run(services)
  } catch (error) {
    const title = command.title.replace(/…$/, '')
    notify(`${title} failed`, error instanceof Error ? error.message : String(error), 'error')
  }
}
