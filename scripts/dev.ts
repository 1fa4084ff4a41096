import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OWN_GROUP, runGateway, workbenchAddress } from './run-gateway.ts'
import { onStopSignal } from './stop-signals.ts'

// `npm run dev -- <flags of serve>`: the gateway starts anew after each change below gateway/, the
// page is built anew after each change below renderer/ (reload it). A new gateway keeps its ports
// but has a new token, so open the address it prints. Ctrl+C stops both.
const QUIET_MS = 200
const root = fileURLToPath(new URL('..', import.meta.url))

const page = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--watch'], {
  cwd: root,
  stdio: 'inherit',
  detached: OWN_GROUP,
})
let gateway = start()
let isStopping = false
let isRestarting = false
let timer: NodeJS.Timeout | undefined

watch(`${root}gateway`, { recursive: true }, (_event, file) => {
  if (isStopping || file?.endsWith('.test.ts')) return
  clearTimeout(timer)
  timer = setTimeout(restart, QUIET_MS)
})
onStopSignal(stop)
page.once('exit', () => {
  if (!isStopping) process.exitCode = 1
  stop()
})

function start() {
  const { child, ready } = runGateway(process.argv.slice(2))
  void ready.then((addresses) => console.log(`\nWorkbench  ${workbenchAddress(addresses)}\n`))
  child.once('exit', (code) => {
    if (isStopping) process.exit()
    else if (isRestarting) gateway = start()
    else console.log(`The gateway ended with code ${code}; it starts again after the next change`)
    isRestarting = false
  })
  return child
}

function restart() {
  if (gateway.exitCode !== null || gateway.signalCode !== null) gateway = start()
  else {
    isRestarting = true
    gateway.kill('SIGTERM')
  }
}

function stop() {
  isStopping = true
  page.kill('SIGTERM')
  if (gateway.exitCode !== null || gateway.signalCode !== null) process.exit()
  gateway.kill('SIGTERM')
}
