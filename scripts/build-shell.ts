import { build, type BuildOptions, type Plugin } from 'esbuild'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What differs between the shell that ships and the one the tests run on an old Electron. */
export interface ShellTarget {
  outDir: string
  node: string
  chrome: string
  /** Where the gateway lies, when not two folders above the bundle. */
  programDir?: string
  /** For the main process only. */
  plugins?: Plugin[]
}

/** The Node inside the current Electron, and its Chromium. */
export const RELEASE: ShellTarget = {
  outDir: join(root, 'dist/electron'),
  node: 'node24',
  chrome: 'chrome140',
}

/** Bundles main process and preload script; a sandboxed preload can load no modules. */
export async function buildShell(target: ShellTarget) {
  const { outDir, node, chrome, programDir = '', plugins = [] } = target
  const common: BuildOptions = {
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['electron'],
    define: { PROGRAM_DIR: JSON.stringify(programDir) },
    logLevel: 'warning',
    absWorkingDir: root,
  }
  mkdirSync(outDir, { recursive: true })
  await build({
    ...common,
    entryPoints: ['electron/main.ts'],
    outfile: join(outDir, 'main.cjs'),
    target: node,
    plugins,
  })
  await build({
    ...common,
    entryPoints: ['electron/preload.ts'],
    outfile: join(outDir, 'preload.cjs'),
    target: chrome,
  })
  const { name, version, description } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'name' | 'version' | 'description', string>
  const manifest = { name, productName: 'Sluice', version, description, author: 'Sluice' }
  writeFileSync(join(outDir, 'package.json'), JSON.stringify({ ...manifest, main: 'main.cjs' }))
}
