import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** An Electron to start, or why there is none. */
export type FoundElectron = { executable: string } | { missing: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const home = join(root, 'node_modules/electron')
/** Holds the reason of the last failure; its time says how long that one counts. */
const NOTE = join(root, '.cache/no-electron')
const NOTE_COUNTS_MS = 24 * 3600 * 1000
const WAIT_MS = 20_000

/**
 * The Electron that `SLUICE_ELECTRON` names, else the one npm's package has downloaded, else the one
 * it can download now. A download that fails is not tried again for a day; one that is slow goes on
 * while this process lives, for the next start.
 */
export async function findElectron(): Promise<FoundElectron> {
  const { DISPLAY, WAYLAND_DISPLAY, SLUICE_ELECTRON: byHand } = process.env
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY)
    return { missing: 'there is no display (DISPLAY and WAYLAND_DISPLAY are empty)' }
  if (byHand)
    return existsSync(byHand)
      ? { executable: byHand }
      : { missing: `SLUICE_ELECTRON names ${byHand}, which does not exist` }
  const present = downloaded()
  if (present) return { executable: present }
  const noted = readNote()
  if (noted) return { missing: `${noted} (tried again a day later, or without .cache/no-electron)` }
  const problem = await download()
  const executable = downloaded()
  return executable ? { executable } : { missing: problem ?? 'its package brought no program' }
}

/** What electron's own installer has put beside itself. */
function downloaded() {
  const pathFile = join(home, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const executable = join(home, 'dist', readFileSync(pathFile, 'utf8'))
  return existsSync(executable) ? executable : undefined
}

/** Why there is no Electron yet; undefined when the installer ended well. */
async function download() {
  const installer = join(home, 'install.js')
  if (!existsSync(installer)) return 'the npm package "electron" is not installed'
  console.log('Looking for Electron (once) …')
  const child = spawn(process.execPath, [installer], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (part: Buffer) => (complaint += part.toString()))
  const cutShort = () => {
    child.kill()
    writeNote('its download was cut short')
  }
  process.once('exit', cutShort)
  const ended = new Promise<string | undefined>((resolve) =>
    child.once('close', (code) => {
      process.off('exit', cutShort)
      const reason = `its download failed: ${complaint.split('\n')[0] ?? ''}`
      if (code !== 0) writeNote(reason)
      resolve(code === 0 ? undefined : reason)
    }),
  )
  const slow = `its download takes more than ${WAIT_MS / 1000} s; it goes on for the next start`
  return Promise.race([ended, sleep(WAIT_MS, slow, { ref: false })])
}

function readNote() {
  const isFresh = existsSync(NOTE) && Date.now() - statSync(NOTE).mtimeMs < NOTE_COUNTS_MS
  return isFresh ? readFileSync(NOTE, 'utf8') : undefined
}

function writeNote(reason: string) {
  mkdirSync(dirname(NOTE), { recursive: true })
  writeFileSync(NOTE, reason)
}
