import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startSluice, temporaryFolder } from '../support/start-sluice.ts'
import {
  closeBrowser,
  editorText,
  focusEditor,
  openSample,
  openWorkbench,
} from './support/workbench.ts'

afterAll(closeBrowser)

vi.setConfig({ testTimeout: 120_000 })

const PIPELINE = 'pipelines/movies.pipeline.yaml'
const REQUEST = 'requests/search.http'
const LONGEST_TASK_MS = 200
const sampleFile = (dataDir: string, path: string) =>
  readFileSync(join(dataDir, 'workspaces/sample', path), 'utf8')

test('an invalid text keeps every character and the cursor, and the graph its last valid state', async () => {
  await using workbench = await openWorkbench()
  const { page, sluice, complaints } = workbench
  await openSample(page)
  const nodes = page.getByTestId('graph-node')
  await nodes.first().waitFor()
  const before = await nodes.count()
  await focusEditor(page, PIPELINE)
  const typed = 'priority : "un   finished\n'
  for (const key of typed) await page.keyboard.type(key, { delay: 15 })

  await page
    .getByTestId('graph-problems')
    .getByText(/text has \d+ problem/i)
    .waitFor()
  expect(await nodes.count()).toBe(before)
  expect(await page.getByText('Ln 2, Col 1').isVisible()).toBe(true)
  await expect
    .poll(() => editorText(page, PIPELINE))
    .toBe(typed + sampleFile(sluice.dataDir, PIPELINE))

  await page.keyboard.press('Control+Z')
  for (let i = 0; i < 30 && (await page.title()).startsWith('●'); i++)
    await page.keyboard.press('Control+Z')
  await page.getByTestId('graph-problems').waitFor({ state: 'detached' })
  expect(await page.title()).toBe('Movies — Sluice')
  expect(complaints).toEqual([])
})

test('one problem is called one, and Enter in the list puts the cursor on it', async () => {
  await using workbench = await openWorkbench()
  const { page } = workbench
  await openSample(page)
  await focusEditor(page, PIPELINE)
  for (let line = 1; line < 6; line++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type('x')
  await page
    .getByTestId('graph-problems')
    .getByText(/text has 1 problem/i)
    .waitFor()

  await page.keyboard.press('Control+End')
  await page.getByTestId('problem-counts').click()
  const problem = page.getByTestId('problem').first()
  await problem.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Ln 6, Col 11').waitFor()
  await page.getByTestId('leave-hint').waitFor()
})

test('typing blocks the page for less than a fifth of a second at a time', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  await openSample(page)
  await focusEditor(page, REQUEST)
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  await page.keyboard.type(
    '### typed\nPOST /movies/_search\n{ "query": { "match_all": {} } }\n\n',
    {
      delay: 20,
    },
  )
  const longest = await page.evaluate(() =>
    Math.max(0, ...(window as unknown as { tasks: number[] }).tasks),
  )
  expect(longest).toBeLessThan(5 * LONGEST_TASK_MS)
  expect(complaints).toEqual([])
})

test('a reload brings back tabs, text, cursor and unsaved marks', async () => {
  await using workbench = await openWorkbench()
  const { page, sluice } = workbench
  await openSample(page)
  await focusEditor(page, PIPELINE)
  await page.keyboard.press('End')
  await page.keyboard.type(' edited')
  const tabs = () =>
    page.getByRole('tab').evaluateAll((all) => all.map((tab) => tab.getAttribute('aria-label')))
  const open = await tabs()
  expect(open).toContain('movies.pipeline.yaml, unsaved')
  const place = await page.getByText(/^Ln \d+, Col \d+$/).textContent()

  await page.reload()
  await page.locator(`[data-path="${PIPELINE}"] .view-line`, { hasText: 'edited' }).waitFor()
  expect(await tabs()).toEqual(open)
  expect(await page.getByText(/^Ln \d+, Col \d+$/).textContent()).toBe(place)
  expect(await page.title()).toBe('● Movies — Sluice')
  expect(sampleFile(sluice.dataDir, PIPELINE)).not.toContain('edited')

  await focusEditor(page, PIPELINE)
  await page.keyboard.press('Control+S')
  await expect.poll(() => page.title()).toBe('Movies — Sluice')
  expect(sampleFile(sluice.dataDir, PIPELINE)).toContain(' edited\n')
})

test('after kill -9 of the gateway a new start has the same tabs and unsaved text', async () => {
  using folder = temporaryFolder()
  const flags = ['--trace', 'all', '--resume']
  const first = await startSluice(flags, { dataDir: folder.dir })
  await using workbench = await openWorkbench({ sluice: first })
  const { page } = workbench
  await openSample(page)
  await focusEditor(page, PIPELINE)
  await page.keyboard.press('End')
  await page.keyboard.type(' not on disk')
  first.child.kill('SIGKILL')
  await first.ended
  await page.getByRole('alert').getByText('The gateway does not answer').waitFor()
  await page.getByTestId('engine-status').getByText('unknown').waitFor()
  await page.keyboard.type(' nor sent')

  await using second = await startSluice(flags, { dataDir: folder.dir })
  await page.goto('about:blank')
  await page.goto(`${second.control}/#token=${second.token}`)
  await page
    .locator(`[data-path="${PIPELINE}"] .view-line`, { hasText: 'not on disk nor sent' })
    .waitFor()
  expect(await page.title()).toBe('● Movies — Sluice')
})

test('a page whose token the gateway does not know is sent to the new address', async () => {
  using folder = temporaryFolder()
  const first = await startSluice([], { dataDir: folder.dir })
  await using workbench = await openWorkbench({ sluice: first })
  first.child.kill('SIGKILL')
  await first.ended
  // The same data folder means the same port of the control endpoint.
  await using _second = await startSluice([], { dataDir: folder.dir })
  await workbench.page.getByRole('alert').getByText('open the address it printed last').waitFor()
})

test('a bracket that is never closed gives as many marks as the gateway finds problems', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  await openSample(page)
  await focusEditor(page, PIPELINE)
  await page.keyboard.type('x: [')
  await page.keyboard.press('Delete')
  const said = page.getByTestId('graph-problems').getByText(/text has [1-9]\d* problem/i)
  await said.waitFor()
  const count = Number(/\d+/.exec((await said.textContent()) ?? '')?.[0])
  expect(count).toBeLessThanOrEqual(3)
  await page.getByTestId('problem-counts').click()
  await expect.poll(() => page.getByTestId('problem').count()).toBeGreaterThanOrEqual(count)
  expect(complaints).toEqual([])
})

test('completion offers the stages of the gateway and hovering explains one', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  await openSample(page)
  await focusEditor(page, PIPELINE)
  for (let line = 1; line < 17; line++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.type('promote')
  const list = page.locator('.suggest-widget')
  await list.getByText('promoteResults').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Ln 17, Col 24').waitFor()

  await page.locator(`[data-path="${PIPELINE}"]`).getByText('promoteResults').hover()
  await page.locator('.monaco-hover').getByText('Inputs:').waitFor()
  expect(complaints).toEqual([])
})
