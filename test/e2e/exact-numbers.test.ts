import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { closeBrowser, openSample, openWorkbench, focusEditor } from './support/workbench.ts'

afterAll(closeBrowser)

vi.setConfig({ testTimeout: 120_000 })

const ID = '103195600828599841'
const PIPELINE = `id: exact
routes:
  - path: /exact/_search
    method: POST
stages:
  - use: authorization
  - id: search
    use: searchEngineQuery
    continueOnError: false
`
const REQUESTS = `### store
PUT /exact/_doc/1?refresh=true
{ "id": ${ID} }

### search
POST /exact/_search
{ "query": { "match_all": {} } }
`

test('an integer beyond 2^53 keeps its digits in body, stage changes, copied text and HAR', async () => {
  await using workbench = await openWorkbench()
  const { page, sluice, complaints } = workbench
  await openSample(page)
  await writeFile('pipelines/exact.pipeline.yaml', PIPELINE)
  await writeFile('requests/exact.http', REQUESTS)
  await page.getByRole('treeitem', { name: 'exact.http' }).dblclick()
  await focusEditor(page, 'requests/exact.http')
  await page.keyboard.press('Control+Enter')
  await page.getByTestId('response').getByText('201').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-testid="run-status"][data-status="ok"]').waitFor()

  await page.locator('[data-testid=trace-row][data-stage=search]').click()
  await page.getByTestId('stage-diff').getByText(ID).first().waitFor()

  await page.getByRole('tab', { name: 'Body' }).click()
  const response = page.getByTestId('response')
  await response.getByText(ID).first().waitFor()
  await response.getByRole('button', { name: 'Copy' }).first().click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(ID)

  const download = page.waitForEvent('download')
  await page.keyboard.press('Control+K')
  await page.keyboard.type('Export Run as HAR')
  await page.keyboard.press('Enter')
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(ID)
  expect(complaints).toEqual([])

  async function writeFile(path: string, text: string) {
    const reply = await fetch(`${sluice.control}/api/workspace/file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${sluice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path, text, etag: null }),
    })
    expect(reply.status).toBe(200)
  }
})
