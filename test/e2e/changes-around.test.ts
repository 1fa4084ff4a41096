import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../support/start-sluice.ts'
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

async function openFolder(page: Page, dir: string) {
  await page.keyboard.press('Control+O')
  await page.getByRole('dialog').getByRole('textbox').fill(dir)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('another folder takes everything of the first one off the screen and going back restores it', async () => {
  using folder = temporaryFolder()
  const [empty, other] = ['empty', 'other'].map((name) => join(folder.dir, name)) as [
    string,
    string,
  ]
  mkdirSync(empty)
  // The same path as in the sample: texts must not get mixed up.
  mkdirSync(join(other, 'requests'), { recursive: true })
  writeFileSync(join(other, 'sluice.yaml'), 'name: Other\n')
  writeFileSync(join(other, REQUEST), '### Other\nGET /other/_search\n')
  await using workbench = await openWorkbench()
  const { page, complaints, sluice } = workbench
  await openSample(page)
  await focusEditor(page, REQUEST)
  await page.keyboard.type('// unsaved\n')

  await openFolder(page, empty)
  await page.getByText('it has none yet').waitFor()
  expect(await page.getByRole('tab', { name: /http|yaml/ }).count()).toBe(0)
  expect(await page.title()).not.toContain('●')

  await openFolder(page, other)
  await page.locator(`[data-path="${REQUEST}"] .view-line`, { hasText: '/other/' }).waitFor()
  expect(await page.title()).toBe('Other — Sluice')

  await openFolder(page, join(sluice.dataDir, 'workspaces/sample'))
  await page.locator(`[data-path="${REQUEST}"] .view-line`, { hasText: '// unsaved' }).waitFor()
  await page.getByRole('tab', { name: 'movies.pipeline.yaml' }).waitFor()
  expect(await page.title()).toBe('● Movies — Sluice')
  expect(complaints).toEqual([])
})

test('open editors follow the theme, and Go to File puts the focus into one', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  await openSample(page)
  const colors = () =>
    page.evaluate(() =>
      [document.body, document.querySelector('.monaco-editor-background')].map((one) =>
        one ? getComputedStyle(one).backgroundColor : '',
      ),
    )
  const [dark] = await colors()
  expect(await colors()).toEqual([dark, dark])
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(colors).toEqual(['rgb(255, 255, 255)', 'rgb(255, 255, 255)'])
  const button = page.getByRole('button', { name: /^Theme/ })
  await button.click()
  await expect.poll(colors).toEqual([dark, dark])

  for (const name of ['enrich.js', 'search.http']) {
    await page.keyboard.press('Control+P')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect
      .poll(() =>
        page.evaluate(() =>
          document.activeElement?.closest('[data-path]')?.getAttribute('data-path'),
        ),
      )
      .toContain(name)
  }
  // The script's mode is loaded by now; editors made from here on get along with it.
  await page.getByRole('tab', { name: 'movies.pipeline.yaml' }).click()
  await page.getByTestId('gateway-status').click()
  await page.getByText('Address copied').waitFor()
  await focusEditor(page, PIPELINE)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Home')
  for (const key of '  - id: mine\nuse: htt') await page.keyboard.type(key, { delay: 40 })
  const highlighted = page.locator('.suggest-widget .monaco-list-row.focused')
  await highlighted.getByText('httpRequest').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => editorText(page, PIPELINE)).toMatch(/use: httpRequest$/)
  await page.keyboard.press('Control+Shift+ArrowLeft')
  for (const key of 'autho') await page.keyboard.type(key, { delay: 40 })
  await highlighted.getByText('authorization').waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => editorText(page, PIPELINE)).toMatch(/use: authorization$/)
  expect(complaints).toEqual([])
})

test('the whole pipeline is in view when it is opened first', async () => {
  await using workbench = await openWorkbench()
  const { page } = workbench
  await openSample(page)
  await page.getByTestId('graph-node').first().waitFor()
  await expect
    .poll(() =>
      page.evaluate(() => {
        const frame = document.querySelector('.react-flow')?.getBoundingClientRect()
        return [...document.querySelectorAll('.react-flow__node')].filter((node) => {
          const { right, bottom } = node.getBoundingClientRect()
          return !frame || right > frame.right || bottom > frame.bottom
        }).length
      }),
    )
    .toBe(0)
  expect(await page.locator('.react-flow__node', { hasText: 'Response' }).isVisible()).toBe(true)
})
