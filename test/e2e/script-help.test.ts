import { afterAll, expect, test, vi } from 'vitest'
import { callControl } from '../support/start-sluice.ts'
import { closeBrowser, focusEditor, openSample, openWorkbench } from './support/workbench.ts'

afterAll(closeBrowser)

vi.setConfig({ testTimeout: 120_000 })

const SCRIPT = 'pipelines/movies/enrich.js'

test('a script completes what the sandbox offers', async () => {
  await using workbench = await openWorkbench()
  const { page, sluice, complaints } = workbench
  await openSample(page)
  const folder = page.getByRole('treeitem', { name: 'movies', exact: true })
  if ((await folder.getAttribute('aria-expanded')) !== 'true') await folder.click()
  await page.getByRole('treeitem', { name: 'enrich.js' }).dblclick()
  await focusEditor(page, SCRIPT)
  const suggestion = (name: string) =>
    page.locator('.suggest-widget .monaco-list-row', { hasText: name }).first()
  for (const [typed, name] of [
    ['context.resp', 'response'],
    ['context.request.', 'headers'],
    ['fetch("http://a/").then((answer) => answer.sta', 'statusText'],
    ['_.group', 'groupBy'],
    ['CryptoJS.HmacSHA2', 'HmacSHA256'],
    ['nlp("x").peo', 'people'],
    ['KV.', 'put'],
  ] as const) {
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type(typed, { delay: 15 })
    await suggestion(name).waitFor()
    // Names that merely stand somewhere in the script are no members of anything.
    if (typed.endsWith('.')) expect(await suggestion('JSON').count()).toBe(0)
    await page.keyboard.press('Escape')
  }
  expect(complaints).toEqual([])
  const { status, body } = await callControl(sluice, 'GET', '/api/script-types')
  expect(status).toBe(200)
  expect(body).toContainEqual({
    path: 'script-api.d.ts',
    text: expect.stringContaining('declare const context: ScriptContext'),
  })
})
