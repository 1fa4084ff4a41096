import { afterAll, expect, test, vi } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import {
  closeBrowser,
  openSample,
  openWorkbench,
  sendAndWait,
  waitForMovies,
} from './support/workbench.ts'

afterAll(closeBrowser)

vi.setConfig({ testTimeout: 120_000 })

// Budgets of the design, times five: the machine may be busy.
const FIRST_TRACE_MS = 5 * 3000
const SELECT_MS = 5 * 100
const CANCEL_MS = 5 * 200

test('two actions lead from an empty profile to the trace of a good run', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  const start = performance.now()
  await page.getByTestId('home-open-sample').click()
  await page.getByTestId('send').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-testid="run-status"][data-status="ok"]').waitFor()
  const took = performance.now() - start

  expect(took).toBeLessThan(FIRST_TRACE_MS)
  expect(await page.getByRole('tab', { name: 'Trace' }).getAttribute('aria-selected')).toBe('true')
  expect(await page.title()).toBe('Movies — Sluice')
  expect(complaints).toEqual([])
})

test('the waterfall has a row with state and times for every stage, inside the bounds of the run', async () => {
  await using workbench = await openWorkbench()
  const { page } = workbench
  await openSample(page)
  await waitForMovies(page)
  await sendAndWait(page)

  const rows = await page.getByTestId('trace-row').evaluateAll((elements) =>
    elements.map((element) => {
      const {
        stage = '',
        status = '',
        startMs,
        durationMs,
        waitMs,
      } = (element as HTMLElement).dataset
      return {
        stage,
        status,
        start: Number(startMs),
        duration: Number(durationMs),
        wait: Number(waitMs),
      }
    }),
  )
  const stageIds = await page
    .getByRole('tree', { name: 'Stages' })
    .getByRole('treeitem')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset['node'] ?? ''))
  expect(rows.map(({ stage }) => stage).toSorted()).toEqual(stageIds.toSorted())
  expect(rows.map(({ status }) => status).toSorted()).toEqual([
    'continued', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok',
  ]) // prettier-ignore
  expect(rows.filter((row) => Number.isNaN(row.start + row.duration + row.wait))).toEqual([])

  const runMs = await page.getByTestId('run-duration').getAttribute('title')
  const shownMs = Number(/([\d.]+) ms/.exec(runMs ?? '')?.[1])
  const ends = rows.map(({ start, duration }) => start + duration)
  const startOf = Math.min(...rows.map(({ start }) => start))
  expect(startOf).toBeGreaterThanOrEqual(0)
  expect(Math.max(...ends)).toBeLessThanOrEqual(shownMs + 0.001)
  expect(Math.abs(Math.max(...ends) - startOf - shownMs)).toBeLessThanOrEqual(1)

  const [figures, popularity] = ['genreFigures', 'popularity'].map((id) =>
    rows.find(({ stage }) => stage === id),
  )
  if (!figures || !popularity) throw new Error('The async stages of the sample have no rows')
  expect(Math.max(figures.start, popularity.start)).toBeLessThan(
    Math.min(figures.start + figures.duration, popularity.start + popularity.duration),
  )
})

test('choosing a row shows its changes and selects the stage in text, graph and outline', async () => {
  await using workbench = await openWorkbench()
  const { page, complaints } = workbench
  await openSample(page)
  await waitForMovies(page)
  await sendAndWait(page)

  const took = await page.evaluate(async () => {
    const row = document.querySelector<HTMLElement>('[data-testid=trace-row][data-stage=enrich]')
    const start = performance.now()
    row?.click()
    while (!document.querySelector('[data-testid=stage-diff]')?.textContent.includes('genres'))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - start
  })
  expect(took).toBeLessThan(SELECT_MS)
  await page
    .locator('[data-path="pipelines/movies.pipeline.yaml"] .stage-highlight')
    .first()
    .waitFor()
  const marked = page.locator('[data-path="pipelines/movies.pipeline.yaml"] .view-line', {
    hasText: 'enrich.js',
  })
  expect(await marked.isVisible()).toBe(true)
  const node = page.locator('[data-testid=graph-node]', { hasText: 'enrich' })
  expect(await node.getAttribute('aria-pressed')).toBe('true')
  expect(complaints).toEqual([])
})

test('cancelling a slow request gives the page back at once and the run is cancelled', async () => {
  await using engine = await startFakeEngine((_request, response) => {
    setTimeout(() => response.end('{}'), 10_000).unref()
  })
  await using workbench = await openWorkbench({ args: ['--engine', engine.url] })
  const { page } = workbench
  await openSample(page)
  await page.keyboard.press('Control+Enter')
  await page.getByTestId('cancel').waitFor()
  await page.locator('[data-testid=graph-node] [data-status=running]').first().waitFor()

  const start = performance.now()
  await page.getByTestId('cancel').click()
  await page.getByTestId('send').waitFor()
  expect(performance.now() - start).toBeLessThan(CANCEL_MS)
  await page.locator('[data-testid="run-status"][data-status="cancelled"]').waitFor()
  await page.getByTestId('response').getByText('Cancelled:').waitFor()
  expect(await page.getByTestId('error-card').count()).toBe(0)
})
