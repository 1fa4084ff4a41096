import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** Flags for a test browser that asks nobody outside. */
export const BROWSER_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** An installed Chromium, or undefined. `SLUICE_BROWSER` names one by hand. */
export function findBrowser(): string | undefined {
  const byHand = process.env.SLUICE_BROWSER
  if (byHand) return byHand
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)))
  return [...onPath, ...PLACES, playwrightBrowser()].find((file) => file && existsSync(file))
}

/**
 * An installed Chromium, else Debian's package where that can be installed, else Playwright's own.
 * @throws {Error} with the command to type when there is no way.
 */
export function requireBrowser(): string {
  const found = findBrowser()
  if (found) return found
  if (process.getuid?.() === 0 && isDebian()) {
    console.log('No Chromium found: installing the package "chromium"')
    const quiet = {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    } as const
    spawnSync('apt-get', ['update', '-qq'], quiet)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
  } else {
    console.log('No Chromium found: asking Playwright to download one')
    const cli = fileURLToPath(new URL('../node_modules/playwright-core/cli.js', import.meta.url))
    spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' })
  }
  const installed = findBrowser()
  if (installed) return installed
  throw new Error(
    'The end-to-end tests need Chromium and none could be installed. Type one of\n' +
      '  sudo apt-get install chromium\n  npx playwright-core install chromium\n' +
      'or name an installed one: SLUICE_BROWSER=/path/to/chromium npm test',
  )
}

const isDebian = () => {
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

/** Where playwright-core says its own download lies, whether or not it is there. */
function playwrightBrowser() {
  try {
    const script = "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))"
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    const out = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd })
    return out.trim() || undefined
  } catch {
    return undefined
  }
}
