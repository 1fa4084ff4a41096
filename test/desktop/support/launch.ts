import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { _electron, type Page } from 'playwright-core'
import { TEST_PAGE, TEST_SHELL } from '../compat/build-test-shell.ts'

/** How an app is started for a test. */
interface Launch {
  executable: string
  display: string
  /** Omitted for a packaged app, which brings its own. */
  appDir?: string | undefined
  profile?: string
  gatewayFlags?: readonly string[]
}

/** A display of our own when there is none: 9.4.1 aborts without. */
export async function startDisplay() {
  const existing = process.env.DISPLAY
  if (existing) return { display: existing, stop: () => undefined }
  const flags = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const pipe = server.stdio[3]
  const number = await new Promise<string>((resolve, reject) => {
    pipe?.once('data', (part: Buffer) => resolve(part.toString().trim()))
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
  })
  return { display: `:${number}`, stop: () => void server.kill() }
}

/** Starts the app on a profile of its own and waits for its first window. */
export async function launchApp({ executable, display, appDir, profile, gatewayFlags }: Launch) {
  const userData = profile ?? mkdtempSync(join(tmpdir(), 'sluice-desktop-'))
  const env: Record<string, string> = {
    ...definedOnly(process.env),
    DISPLAY: display,
    SLUICE_PROFILE: userData,
    ...(appDir !== undefined && { SLUICE_PAGE_DIR: TEST_PAGE }),
  }
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(appDir === undefined ? [] : [appDir]),
    '--gateway',
    ...(gatewayFlags ?? ['--port', '0']),
  ]
  const app = await _electron.launch({
    executablePath: executable,
    chromiumSandbox: false,
    args,
    env,
    timeout: 30_000,
  })
  const page = await app.firstWindow()
  page.setDefaultTimeout(20_000)
  await lendCheckVisibility(page)
  const pid = app.process().pid ?? 0
  return { app, page, userData, pid, env, args }
}

/** A started app. */
export type Launched = Awaited<ReturnType<typeof launchApp>>

/** The shell of the test build. */
export const TEST_APP = TEST_SHELL

/** Playwright calls it in a world of its own, where no prelude of ours runs; Chromium 83 lacks it. */
async function lendCheckVisibility(page: Page) {
  const session = await page.context().newCDPSession(page)
  session.on('Runtime.executionContextCreated', ({ context }) => {
    const expression =
      'Element.prototype.checkVisibility = ' +
      'Element.prototype.checkVisibility || function () { return true }'
    // The world may be gone already.
    session.send('Runtime.evaluate', { contextId: context.id, expression }).catch(() => undefined)
  })
  await session.send('Runtime.enable')
}

/** Polls until `check` gives something; the reason when it never does. */
export async function until<T>(check: () => T | Promise<T>, what: string, ms = 20_000) {
  const start = Date.now()
  for (;;) {
    const value = await check()
    if (value) return value
    if (Date.now() - start > ms) throw new Error(`Not within ${ms} ms: ${what}`)
    await sleep(40)
  }
}

/** Whether a process is there. */
export function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The gateway behind a page, asked by the page itself; undefined while there is none. */
export const gatewayOf = (page: Page) =>
  page
    .evaluate(async () => {
      const token = sessionStorage.getItem('sluice.token') ?? ''
      const headers = { authorization: `Bearer ${token}` }
      const reply = await fetch('/api/state', { headers })
      if (!reply.ok) throw new Error('not ours yet')
      const state = (await reply.json()) as { pid: number; engine: { url: string } }
      return { pid: state.pid, token }
    })
    .catch(() => undefined)

const definedOnly = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]))
