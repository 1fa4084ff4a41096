import { afterAll, expect, test, vi } from 'vitest'
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

test('a mistyped key is mended from the keyboard, and the text is what it was', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  await openSample(page)
  await focusEditor(page, PIPELINE)
  for (let line = 1; line < 6; line++) await page.keyboard.press('ArrowDown')
  await page.keyboard.type('x')
  await expect.poll(() => editorText(page, PIPELINE)).toContain('\nxpriority: 10\n')

  // Offers follow the mark, which comes a moment after the answer of the gateway.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+.')
      return page.locator('.action-widget').getByText('Change to "priority"').isVisible()
    })
    .toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.title()).toBe('Movies — Sluice')
  expect(complaints).toEqual([])
})
