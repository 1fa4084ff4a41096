import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import {
  closeBrowser,
  openSample,
  openWorkbench,
  sendAndWait,
  waitForMovies,
} from './support/workbench.ts'

afterAll(closeBrowser)

// Axe looks at every element of sixteen screens; on a busy machine that is minutes.
vi.setConfig({ testTimeout: 400_000 })

/** Serious and critical findings, each as one readable line. */
async function findings(page: Page, screen: string) {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${screen}: ${id}: ${html.slice(0, 160)}`))
}

test.each(['dark', 'light'] as const)(
  'axe finds nothing serious on any screen, %s',
  async (theme) => {
    await using workbench = await openWorkbench({ theme })
    const { page, complaints } = workbench
    const found: string[] = []
    const look = async (screen: string) => void found.push(...(await findings(page, screen)))

    await look('home')
    await page.getByTestId('home-connect').click()
    await page.getByRole('dialog').waitFor()
    await look('connect')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await openSample(page)
    await waitForMovies(page)
    await look('sample')
    await sendAndWait(page)
    await page.locator('[data-testid=trace-row][data-stage=enrich]').click()
    await page.getByTestId('stage-diff').waitFor()
    await look('trace')
    for (const name of ['Input', 'Output', 'Logs', 'Calls', 'Headers', 'Body']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
      await look(name)
    }
    await page.getByRole('button', { name: 'Table' }).click()
    await page.keyboard.press('Control+J')
    await look('graph table and problems')
    await page.getByRole('tab', { name: /^Runs/ }).click()
    await look('runs')
    await page.getByRole('button', { name: 'Runs' }).click()
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /movies/ })
      .first()
      .click()
    await page.getByRole('tab', { name: /^Run movies/ }).waitFor()
    await look('run')
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').waitFor()
    await look('palette')
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'File' }).click()
    await page.getByRole('menu').waitFor()
    await look('menu')

    expect(found).toEqual([])
    expect(complaints).toEqual([])
  },
)

test('Tab visits every region, shows the focus and is trapped nowhere', async () => {
  await using workbench = await openWorkbench()
  const { page } = workbench
  await openSample(page)
  await page.locator('body').focus()
  await page.keyboard.press('Escape')

  const seen: { region: string; ring: number; name: string }[] = []
  for (let i = 0; i < 140; i++) {
    // Monaco takes Tab for itself until Esc was pressed.
    if (await page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null))
      await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    seen.push(
      await page.evaluate(() => {
        const element = document.activeElement
        const { outlineStyle, outlineWidth } = getComputedStyle(element ?? document.body)
        const isInEditor = element?.closest('.monaco-editor') !== null
        return {
          region: element?.closest<HTMLElement>('[data-region]')?.dataset['region'] ?? '',
          // An editor shows its cursor and its current line.
          ring: isInEditor ? 2 : outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
          name: element?.outerHTML.slice(0, 120) ?? '',
        }
      }),
    )
  }
  const regions = new Set(seen.map(({ region }) => region))
  expect([...regions].filter(Boolean).toSorted()).toEqual(['documents', 'rail', 'side', 'status'])
  const last = seen.length - 1
  const withoutRing = seen.filter(
    ({ ring, name }, at) => ring < 2 && at < last && !name.startsWith('<body'),
  )
  expect(withoutRing).toEqual([])
  // No stretch of the walk stays on one element.
  expect(
    seen.filter(
      ({ name }, at) => at > 1 && name === seen[at - 1]?.name && name === seen[at - 2]?.name,
    ),
  ).toEqual([])
})

test('F6 goes round the regions, and the keyboard alone opens a stage', async () => {
  await using workbench = await openWorkbench()
  const { page } = workbench
  await openSample(page)
  await waitForMovies(page)
  await page.keyboard.press('Control+J')
  const region = () =>
    page.evaluate(
      () => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'],
    )
  const visited: (string | undefined)[] = []
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('F6')
    visited.push(await region())
  }
  expect(new Set(visited)).toEqual(new Set(['rail', 'side', 'documents', 'panel', 'status']))

  await page.keyboard.press('Control+Enter')
  await page.locator('[data-testid="run-status"][data-status="ok"]').waitFor()
  await page.getByRole('treegrid').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page
    .getByTestId('stage-diff')
    .or(page.getByRole('region', { name: /^Stage / }))
    .first()
    .waitFor()
})
