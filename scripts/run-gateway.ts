import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Ready } from '../gateway/contract/ready.ts'

const cli = fileURLToPath(new URL('../gateway/cli.ts', import.meta.url))
const FOR_PEOPLE = ['--trace', 'all', '--print-credentials', '--exit-with-parent', '--resume']

/**
 * Whether a child gets a process group of its own. With one, Ctrl+C in a terminal reaches this
 * process only and is passed on once; the gateway takes a second signal for impatience.
 */
export const OWN_GROUP = process.platform !== 'win32'

/** Starts a gateway for the workbench; `ready` stays pending when it ends before. */
export function runGateway(flags: readonly string[], token?: string) {
  const nodeFlags = [
    '--no-node-snapshot',
    // What requests leave behind is collected less often, and nearly none of it survives.
    '--min-semi-space-size=16',
    '--disable-warning=ExperimentalWarning',
  ]
  const child = spawn(process.execPath, [...nodeFlags, cli, 'serve', ...FOR_PEOPLE, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: OWN_GROUP,
    env: { ...process.env, ...(token !== undefined && { SLUICE_TOKEN: token }) },
  })
  const ready = new Promise<Ready>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve(Ready.parse(JSON.parse(line))),
    )
  })
  return { child, ready }
}

/** The address of the workbench, with the token where no server sees it. */
export const workbenchAddress = ({ control, token }: Ready) => `${control}/#token=${token}`
