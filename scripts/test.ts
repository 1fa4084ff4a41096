import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireBrowser } from './browser.ts'
import { buildRenderer } from './build-renderer.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const report = join(root, '.cache/test-report.json')

/** Runs one step and ends everything when it fails: later steps would only repeat the reason. */
function step(title: string, command: string, args: readonly string[]) {
  const start = performance.now()
  console.log(`\n── ${title}`)
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  console.log(`── ${title}: ${status === 0 ? 'ok' : 'FAILED'}, ${seconds(start)} s`)
  return status === 0
}

const seconds = (start: number) => ((performance.now() - start) / 1000).toFixed(1)

/** What vitest's JSON report says of one test. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** Skips are never silent: each is named, and the closing line counts them. */
function printSummary() {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Report
  for (const { name, assertionResults } of testResults)
    for (const { status, fullName } of assertionResults)
      if (status === 'pending' || status === 'skipped')
        console.log(`skipped: ${name.replace(root, '')}: ${fullName}`)
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
}

const started = performance.now()
const browser = requireBrowser()
console.log(`Browser of the end-to-end tests: ${browser}`)
await buildRenderer()
const checked = step('types, lint, format, unused code, import rules', 'npm', [
  'run',
  '-s',
  'check',
])
if (!checked) process.exit(1)
mkdirSync(join(root, '.cache'), { recursive: true })
rmSync(report, { force: true })
const passed = step('tests', join(root, 'node_modules/.bin/vitest'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
])
console.log(`All in ${seconds(started)} s`)
printSummary()
process.exit(passed ? 0 : 1)
