import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Test files run in processes of their own, all of them children of one. */
const owner = process.ppid
const folder = join(tmpdir(), `sluice-opensearch-of-${owner}`)

/**
 * Address of the OpenSearch that all test files of this run share. The first to ask starts it; it
 * ends with the run. Use index names of your own.
 * @throws Error when it cannot be started.
 */
export async function sharedOpenSearch() {
  if (claim()) startKeeper()
  const file = join(folder, 'answer.json')
  while (!existsSync(file)) await sleep(100)
  // Written by keep-opensearch.ts.
  const answer = JSON.parse(readFileSync(file, 'utf8')) as { url?: string; failed?: string }
  if (!answer.url) throw new Error(answer.failed)
  await fetch(answer.url).catch((cause: unknown) => {
    rmSync(folder, { recursive: true, force: true })
    throw new Error('What an earlier run left behind is removed now: run the tests again', {
      cause,
    })
  })
  return answer.url
}

/** True for the one caller that made the folder. */
function claim() {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

function startKeeper() {
  const log = openSync(join(folder, 'keeper.log'), 'w')
  const script = join(import.meta.dirname, 'keep-opensearch.ts')
  // Detached: it has to outlive the test file that needed it first.
  spawn(process.execPath, [script, folder, String(owner)], {
    detached: true,
    stdio: ['ignore', log, log],
  }).unref()
  closeSync(log)
}
