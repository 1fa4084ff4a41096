import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { Ready } from '../gateway/contract/ready.ts'
import { buildRenderer } from './build-renderer.ts'

const cli = fileURLToPath(new URL('../gateway/cli.ts', import.meta.url))

await buildRenderer()
openInBrowser(process.argv.slice(2))

/** Starts the gateway and shows the address of its workbench; Ctrl+C stops both. */
function openInBrowser(flags: readonly string[]) {
  const gateway = spawn(
    process.execPath,
    [
      '--no-node-snapshot',
      '--disable-warning=ExperimentalWarning',
      cli,
      'serve',
      '--trace',
      'all',
      '--print-credentials',
      '--exit-with-parent',
      '--resume',
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  createInterface({ input: gateway.stdout }).once('line', (line) => {
    const { control, token, gateway: endpoint, engine } = Ready.parse(JSON.parse(line))
    console.log(`
  Sluice is ready.

    Workbench  ${control}/#token=${token}
    Gateway    ${endpoint}
    Engine     ${engine}

  Open the workbench's address in a browser. Ctrl+C stops everything.
`)
  })
  gateway.on('exit', (code) => process.exit(code ?? 0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => gateway.kill(signal))
}
