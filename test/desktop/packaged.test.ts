import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageApp } from '../../scripts/package.ts'
import { buildTestShell, TEST_PAGE, TEST_SHELL } from './compat/build-test-shell.ts'
import { gatewayOf, isAlive, launchApp, startDisplay, until } from './support/launch.ts'
import { setUpElectron } from './support/set-up-electron.ts'

const setUp = setUpElectron()
const missing = 'missing' in setUp ? setUp.missing : undefined
if (missing) console.log(`skipped: packaged app: ${missing}`)

describe.skipIf(missing)('the packaged app', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'sluice-packaged-'))
  let folder: string
  let display: Awaited<ReturnType<typeof startDisplay>>

  beforeAll(async () => {
    await buildTestShell()
    const packages = await packageApp({
      outDir,
      shellDir: TEST_SHELL,
      pageDir: TEST_PAGE,
      electron: { dist: 'distDir' in setUp ? setUp.distDir : '', version: '9.4.1' },
      targets: ['dir'],
    })
    folder = join(packages, 'linux-unpacked')
    display = await startDisplay()
  }, 300_000)
  afterAll(() => {
    display?.stop()
    rmSync(outDir, { recursive: true, force: true })
  })

  test('carries no tests, no types and no binaries of other platforms', () => {
    const program = join(folder, 'resources/program')
    const files = readdirSync(program, { recursive: true }).map(String)
    expect(files).toContain(join('gateway', 'cli.ts'))
    expect(files.filter((file) => /^gateway.*\.test\.ts$/.test(file))).toEqual([])
    // The script editor completes from the declarations of these libraries.
    const forScripts = /node_modules\/(@types\/(crypto-js|lodash)|compromise(-dates)?)\//
    expect(files.filter((file) => file.endsWith('.d.ts') && !forScripts.test(file))).toEqual([])
    const prebuilds = join(program, 'node_modules/isolated-vm/prebuilds')
    expect(readdirSync(prebuilds)).toEqual([`${process.platform}-${process.arch}`])
    const unneeded = ['electron', 'electron-builder', 'monaco-editor', 'react', 'vite', 'vitest']
    const installed = readdirSync(join(program, 'node_modules'))
    expect(installed.filter((name) => unneeded.includes(name))).toEqual([])
  })

  test('starts, does the main job, writes nothing beside itself and ends whole', async () => {
    const before = listing(folder)
    const { app, page, pid, userData } = await launchApp({
      executable: join(folder, 'sluice'),
      display: display.display,
    })
    const where = await app.evaluate(({ app: own }) => [own.isPackaged, own.getAppPath()])
    expect(where).toEqual([true, join(folder, 'resources/app.asar')])

    await page.getByTestId('home-open-sample').click({ timeout: 60_000 })
    await page.locator('.monaco-editor').first().waitFor({ timeout: 60_000 })
    await page.keyboard.press('Control+Enter')
    const status = page.getByTestId('run-status').first()
    await until(async () => (await status.innerText()).includes('ok'), 'the run ends well', 60_000)

    const gateway = await until(() => gatewayOf(page), 'the gateway answers')
    const processes = [pid, gateway.pid, ...childrenOf(gateway.pid)]
    expect(processes.length).toBeGreaterThanOrEqual(3)
    await app.evaluate(({ app: own }) => void setTimeout(() => own.quit(), 0))
    await until(() => !processes.some(isAlive), 'shell, gateway and engine have ended', 60_000)
    expect(listing(folder)).toEqual(before)
    expect(readdirSync(join(userData, 'data'))).toContain('state.db')
    rmSync(userData, { recursive: true, force: true })
  })
})

/** Every file below a folder with its size and the time of its last change. */
const listing = (dir: string) =>
  readdirSync(dir, { recursive: true })
    .map((name) => {
      const { size, mtimeMs } = statSync(join(dir, String(name)))
      return `${String(name)} ${size} ${mtimeMs}`
    })
    .toSorted()

/** Process ids of the direct children: of a gateway, the local engine. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
