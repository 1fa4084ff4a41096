import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { buildRenderer } from './build-renderer.ts'
import { findElectron } from './find-electron.ts'
import { openBrowser } from './open-browser.ts'
import { OWN_GROUP, runGateway, workbenchAddress } from './run-gateway.ts'
import { onParentGone, onStopSignal } from './stop-signals.ts'

/** An Electron that fails so soon could not start at all: the browser takes over. */
const STARTING_MS = 15_000
/** The gateway's exit code for what the user has to change, such as a taken port. */
const USER_ERROR = 2
/** A gateway that crashes this often within a minute of its starts is left alone. */
const MAX_FAILURES = 4
const CALM_MS = 60_000

// `npm start -- <flags of serve>`: the workbench in Electron, else in a browser.
const flags = process.argv.slice(2)
let stopRunning: (() => void) | undefined
let isStopping = false
const stop = () => {
  isStopping = true
  if (stopRunning) stopRunning()
  else process.exit(0)
}
onStopSignal(stop)
onParentGone(stop)

const [electron] = await Promise.all([findElectron(), buildRenderer()])
const missing = 'missing' in electron ? electron.missing : await runShell(electron.executable)
if (missing === undefined) process.exit(0)
runInBrowser(missing)

/** Runs the desktop app until it is closed; gives the reason when it could not start. */
async function runShell(executable: string) {
  const { buildShell, RELEASE } = await import('./build-shell.ts')
  await buildShell(RELEASE)
  console.log('Sluice opens in its own window. Closing it, or Ctrl+C here, stops everything.')
  // Editors built on Electron leave this behind in their terminals; it would make ours a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const noSandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const shell = spawn(executable, [...noSandbox, RELEASE.outDir, '--gateway', ...flags], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    detached: OWN_GROUP,
    env,
  })
  stopRunning = () => shell.kill('SIGTERM')
  const started = performance.now()
  return new Promise<string | undefined>((resolve) => {
    shell.once('error', ({ message }) => resolve(message))
    shell.once('exit', (code, signal) => {
      const hasFailed = code !== 0 && !isStopping && performance.now() - started < STARTING_MS
      resolve(hasFailed ? `it ended with ${signal ?? `code ${code}`} at once` : undefined)
    })
  })
}

/** Runs the gateway until it is stopped, and shows the address of its workbench. */
function runInBrowser(reason: string) {
  // One token for all restarts: the open page finds its gateway again by itself.
  const token = randomBytes(24).toString('base64url')
  let failures = 0
  const run = () => {
    const started = runGateway(flags, token)
    const since = performance.now()
    stopRunning = () => started.child.kill('SIGTERM')
    started.child.once('exit', (code, signal) => {
      if (isStopping || code === 0 || code === USER_ERROR) process.exit(code ?? 1)
      if (performance.now() - since > CALM_MS) failures = 0
      if (++failures > MAX_FAILURES) process.exit(code ?? 1)
      console.log(`  The gateway ended (${signal ?? `code ${code}`}) and is started again.`)
      setTimeout(run, 200 * 2 ** failures)
    })
    return started
  }
  void run().ready.then(async (addresses) => {
    const { gateway, engine, username, password } = addresses
    const address = workbenchAddress(addresses)
    console.log(`
  Sluice is ready.

    Workbench    ${address}
    Gateway      ${gateway}
    Engine       ${engine}
    Credentials  ${username}:${password}

  Electron was not used: ${reason}.`)
    const isOpen = await openBrowser(address)
    console.log(`  ${isOpen ? 'The workbench is open' : "Open the workbench's address"} in a browser. \
Ctrl+C stops everything.
`)
  })
}
