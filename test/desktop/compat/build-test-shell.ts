import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import react from '@vitejs/plugin-react'
import { buildShell } from '../../../scripts/build-shell.ts'
import { fingerprint, readStamp } from '../../../scripts/fingerprint.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const compat = fileURLToPath(new URL('.', import.meta.url))
const SOURCES = [
  '{renderer,electron,gateway/contract,test/desktop/compat}/**/*',
  'scripts/build-shell.ts',
  'package-lock.json',
]

/** Places of the builds for Electron 9.4.1: same sources, older targets, one adapter each. */
export const TEST_SHELL = join(root, '.cache/electron-9/shell')
export const TEST_PAGE = join(root, '.cache/electron-9/page')
const STAMP = join(root, '.cache/electron-9/.built-from')

/** Builds shell and page for the old Electron, unless they were built from these very sources. */
export async function buildTestShell() {
  const sources = fingerprint(root, SOURCES)
  if (readStamp(STAMP) === sources) return
  await buildShell({
    outDir: TEST_SHELL,
    node: 'node12.14',
    chrome: 'chrome83',
    programDir: root,
    plugins: [
      {
        name: 'electron9',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^electron$/ }, ({ importer }) =>
            importer.startsWith(compat)
              ? { path: 'electron', external: true }
              : { path: join(compat, 'electron9.cjs') },
          ),
      },
    ],
  })
  const prelude = before(/renderer\/main\.tsx$|\.worker\.[jt]s$|\/[\w.-]*worker[\w.-]*\.[jt]s$/)
  await build({
    configFile: false,
    root: join(root, 'renderer'),
    base: './',
    logLevel: 'error',
    plugins: [prelude, react()],
    worker: { format: 'es', plugins: () => [prelude] },
    build: {
      outDir: TEST_PAGE,
      emptyOutDir: true,
      target: 'chrome83',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 20_000,
    },
  })
  mkdirSync(join(root, '.cache/electron-9'), { recursive: true })
  writeFileSync(STAMP, sources)
}

/** Puts the prelude before the page's entry and before every worker's. */
const before = (entry: RegExp): Plugin => ({
  name: 'chrome83',
  enforce: 'pre',
  transform: (code, id) =>
    entry.test(id.split('?')[0] ?? '')
      ? { code: `import ${JSON.stringify(join(compat, 'chrome83.js'))};\n${code}`, map: null }
      : null,
})
