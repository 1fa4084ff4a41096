import { build, Platform } from 'electron-builder'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { buildRenderer } from './build-renderer.ts'
import { buildShell, RELEASE } from './build-shell.ts'
import { assembleProgram } from './program-folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What is packaged: shell and page may be those of the tests, Electron may be on this disk. */
interface PackageOptions {
  outDir: string
  shellDir: string
  pageDir: string
  electron?: { dist: string; version: string }
  targets: string[]
}

/** Assembles the app and has electron-builder package it; gives the folder it wrote to. */
export async function packageApp({ outDir, shellDir, pageDir, electron, targets }: PackageOptions) {
  const app = join(outDir, 'app')
  rmSync(outDir, { recursive: true, force: true })
  cpSync(shellDir, app, { recursive: true })
  assembleProgram(join(outDir, 'program'), pageDir)
  const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as object
  await build({
    projectDir: app,
    targets: Platform.current().createTarget(targets),
    publish: 'never',
    config: {
      ...config,
      directories: { output: join(outDir, 'packages') },
      ...(electron && {
        electronDist: electron.dist,
        electronVersion: electron.version,
        // Fuses came with Electron 12.
        electronFuses: null,
      }),
    },
  })
  return join(outDir, 'packages')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildRenderer()
  await buildShell(RELEASE)
  const out = await packageApp({
    outDir: join(root, 'out'),
    shellDir: RELEASE.outDir,
    pageDir: join(root, 'dist/renderer'),
    targets: process.argv.length > 2 ? process.argv.slice(2) : ['dir'],
  })
  console.log(`Packages are in ${out}`)
}
