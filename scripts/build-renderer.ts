import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint, readStamp } from './fingerprint.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist/renderer')
const STAMP = '.built-from'
/** All that goes into the page. */
const SOURCES = [
  '{renderer,gateway/contract,electron/ipc}/**/*',
  'vite.config.ts',
  'package-lock.json',
]

/** Builds the workbench's page into dist/renderer, unless it was built from these very sources. */
export async function buildRenderer({ force = false } = {}) {
  const sources = fingerprint(root, SOURCES)
  if (!force && readStamp(join(out, STAMP)) === sources) return
  console.log('Building the workbench (once after each change of its sources) …')
  const { build } = await import('vite')
  // Put in place when whole: a gateway may be serving the old one, another start building as well.
  const fresh = `${out}.${process.pid}`
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    // How long each plugin took is nothing for somebody who only wants to start.
    build: { outDir: fresh, rolldownOptions: { checks: { bundlerTimings: false } } },
  })
  writeFileSync(join(fresh, STAMP), sources)
  rmSync(out, { recursive: true, force: true })
  renameSync(fresh, out)
}
