import { chromium, type Browser, type Page } from 'playwright-core'
import { BROWSER_FLAGS, requireBrowser } from '../../../scripts/browser.ts'
import { buildRenderer } from '../../../scripts/build-renderer.ts'
import { startSluice, type Sluice } from '../../support/start-sluice.ts'

let shared: Promise<Browser> | undefined

/** One browser for all tests of a file; `closeBrowser` ends it. */
function launch() {
  shared ??= buildRenderer().then(() =>
    chromium.launch({ executablePath: requireBrowser(), args: BROWSER_FLAGS }),
  )
  return shared
}

/** For `afterAll`. */
export const closeBrowser = async () => (await shared)?.close()

/** How a workbench is opened. */
export interface OpenOptions {
  theme?: 'dark' | 'light'
  width?: number
  height?: number
  /** Further flags of `sluice serve`. */
  args?: readonly string[]
  /** A gateway that runs already; it is not stopped at the end. */
  sluice?: Sluice
}

/** A gateway of its own with an empty profile, and the workbench on it in a real Chromium. */
export async function openWorkbench({
  theme = 'dark',
  width = 1280,
  height = 800,
  args = [],
  sluice: given,
}: OpenOptions = {}) {
  const browser = await launch()
  const sluice = given ?? (await startSluice(['--trace', 'all', ...args]))
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  // A busy machine is slow, not broken; the tests' own limit still holds.
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)))
  const open = (url = `${sluice.control}/#token=${sluice.token}`) => page.goto(url)
  await open()
  await page.getByTestId('home').waitFor()
  await page.getByTestId('gateway-status').getByText('up').waitFor()
  return {
    page,
    sluice,
    /** Console errors and unhandled rejections so far; must stay empty. */
    complaints,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      if (!given) await sluice.stop()
    },
  }
}

/** Opens the sample workspace and waits until its request document has the cursor. */
export async function openSample(page: Page) {
  await page.getByTestId('home-open-sample').click()
  await page.locator('[data-path="requests/search.http"] .view-line').first().waitFor()
  await page.locator('[data-path="pipelines/movies.pipeline.yaml"] .view-line').first().waitFor()
}

/** Waits until the sample's movies are in the engine, so that answers have hits. */
export async function waitForMovies(page: Page) {
  await page.getByTestId('task').waitFor({ state: 'detached', timeout: 30_000 })
}

/** Sends the request at the cursor and waits until the answer and the whole trace are there. */
export async function sendAndWait(page: Page) {
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-testid="response"][data-state="answered"]').waitFor()
  await page.locator('[data-testid="run-status"][data-status="ok"]').waitFor()
}

/** Puts the focus into the editor of a file, at its start. */
export async function focusEditor(page: Page, path: string) {
  const input = page.locator(`[data-path="${path}"] .native-edit-context`)
  await input.waitFor({ state: 'attached' })
  await input.focus()
  await page.keyboard.press('Control+Home')
}

/** Text of a file's editor as the store has it, line feeds and all. */
export const editorText = (page: Page, path: string) =>
  page.evaluate((one) => {
    const session = Object.entries(localStorage).find(([key]) => key.startsWith('sluice.session:'))
    const { drafts } = JSON.parse(session?.[1] ?? '{"drafts":[]}') as {
      drafts: { path: string; text: string }[]
    }
    return drafts.find(({ path }) => path === one)?.text
  }, path)
