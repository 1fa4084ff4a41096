import { afterAll, expect, test, vi } from 'vitest'
import { startSluice, temporaryFolder } from '../support/start-sluice.ts'
import {
  closeBrowser,
  focusEditor,
  openSample,
  openWorkbench,
  sendAndWait,
  waitForMovies,
} from './support/workbench.ts'

afterAll(closeBrowser)

vi.setConfig({ testTimeout: 120_000 })

test('an open page finds the gateway again that was started anew with its token', async () => {
  using data = temporaryFolder()
  const token = 'a-token-that-outlives-one-gateway'
  const again = { dataDir: data.dir, token }
  const flags = ['--trace', 'all', '--resume']
  const first = await startSluice(flags, again)
  await using workbench = await openWorkbench({ sluice: first })
  const { page } = workbench
  await openSample(page)
  await waitForMovies(page)
  await focusEditor(page, 'requests/search.http')
  await page.keyboard.type('// unsaved\n')
  await page.evaluate(() => Reflect.set(globalThis, 'wasNeverReloaded', true))

  first.child.kill('SIGKILL')
  await first.ended
  await page.getByTestId('gateway-status').getByText('down').waitFor()

  await using second = await startSluice(flags, again)
  expect(second.control).toBe(first.control)
  await page.getByTestId('gateway-status').getByText('up').waitFor()
  await waitForMovies(page)
  await page.getByText('// unsaved').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await sendAndWait(page)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'wasNeverReloaded'))).toBe(true)
})

test('a view that fails says so and can be drawn again, the others go on', async () => {
  await using workbench = await openWorkbench()
  const { page } = workbench
  await openSample(page)
  await waitForMovies(page)
  await sendAndWait(page)
  // The list of runs is sorted while it is drawn; nothing else sorts runs.
  await page.evaluate(() => {
    const { toSorted } = Array.prototype
    Reflect.set(globalThis, 'mend', () => Reflect.set(Array.prototype, 'toSorted', toSorted))
    Reflect.set(Array.prototype, 'toSorted', function (this: unknown[], compare?: () => number) {
      if (Object(this[0]).runId !== undefined) throw new Error('runs are out of order')
      return toSorted.call(this, compare)
    })
  })
  await page.getByRole('button', { name: 'Runs' }).click()
  const failed = page.getByTestId('view-failed')
  await failed.getByText('Runs cannot be shown').waitFor()
  await failed.getByText('runs are out of order').first().waitFor()
  await focusEditor(page, 'requests/search.http')
  await page.keyboard.type('// still here\n')
  await page.getByText('// still here').waitFor()

  await page.evaluate(() => (Reflect.get(globalThis, 'mend') as () => void)())
  await failed.getByRole('button', { name: 'Reload this view' }).click()
  await failed.waitFor({ state: 'detached' })
  await page
    .getByRole('complementary')
    .getByRole('button', { name: /movies/ })
    .first()
    .waitFor()
})

test('the pipeline stays in view when the window becomes smaller, until it is moved by hand', async () => {
  await using workbench = await openWorkbench({ width: 1920, height: 1080 })
  const { page } = workbench
  await openSample(page)
  await page.getByTestId('graph-node').first().waitFor()
  const outside = () =>
    page.evaluate(() => {
      const frame = document.querySelector('.react-flow')?.getBoundingClientRect()
      return [...document.querySelectorAll('.react-flow__node')].filter((node) => {
        const { left, top, right, bottom } = node.getBoundingClientRect()
        return (
          !frame ||
          left < frame.left ||
          top < frame.top ||
          right > frame.right ||
          bottom > frame.bottom
        )
      }).length
    })
  await expect.poll(outside).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(outside).toBe(0)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect.poll(outside).toBe(0)

  const viewport = page.locator('.react-flow__viewport')
  const pane = await page.locator('.react-flow__pane').boundingBox()
  if (!pane) throw new Error('the graph has no size')
  await page.mouse.move(pane.x + 20, pane.y + 20)
  await page.mouse.down()
  await page.mouse.move(pane.x + 90, pane.y + 60, { steps: 4 })
  await page.mouse.up()
  const moved = await viewport.getAttribute('style')
  await page.setViewportSize({ width: 1900, height: 1060 })
  await page.waitForFunction(() => innerWidth === 1900)
  expect(await viewport.getAttribute('style')).toBe(moved)
})
